"""Baselines that learn values instead of a policy: VDN and QMIX with the same recurrent attention network."""
