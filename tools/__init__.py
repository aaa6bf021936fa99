"""What is done with the project rather than by it: the ladder zip, win rates, thinking times."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as run.py does: several threads would only wait for each other
