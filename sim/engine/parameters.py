"""Numbers of ours: where the game's own rule is not known, or is a choice of speed against detail.

Everything here is in cells and game loops. What StarCraft II's catalog states lies in `sim/facts` instead.
"""

from __future__ import annotations

# -- spatial hash
BUCKET = 2.0  # side of a bucket: two or three marines abreast, so that few empty places are looked at

# -- targets
THREAT = 64  # what who can hit back ranks higher as a target than any priority (Liquipedia: threats come first)
SEARCH_PERIOD = 4  # an armed unit looks for targets once in so many loops (a power of two), not all units in the same
IDLE_PERIOD = 8  # ... and once in so many if it is idle, may go, and fights nobody (fitted: idle Stalkers of two logs)
LOST = 4.0  # a unit on the attack lets go of a target this far outside its search
LEASH = 21.0  # an idle unit gives up a chase this far from where it stood (catalog: AcquireLeashRadius)
LEASH_RESET = 5.0  # and looks for nobody before it is so near to it again (AcquireLeashResetRadius)
ANSWER_RANGE = 14.0  # an idle unit that is hit looks this far for who did it
HELP_RADIUS = 4.0  # idle friends so near to who was hit turn on who did it, from edge to edge (CallForHelpRadius)
CALL_PERIOD = 32  # loops until who was hit calls them again (catalog: CallForHelpPeriod, two normal seconds)
CROWDED = 6  # after so many loops without progress a chaser takes any target that it reaches from where it stands

# -- movement
NEAR_ENOUGH = 0.02  # a unit this close to a corner of its way is as good as there
ON_POINT = 0.001  # a unit this close to its goal has arrived: the game counts in 4096ths
CUT_ERROR = 0.01  # of a 4096th of a cell: what counts as whole where velocities are cut down
PUSH_SHARE = 0.6  # part of an overlap that one loop takes away
PUSH_LIMIT = 0.12  # a standing unit is pushed by no more than this per loop
REST_PERIOD = 2  # standing units look for overlaps every so many loops
OVERLAP = 0.01  # overlaps smaller than this are left alone
LOOK_AHEAD = 1.2  # a mover steers round standing units closer than this
WIDEST_DETOUR = 2.4  # radians off its course that a unit steers to get round others; past that it waits
CROWD_REACH = 5.0  # a unit held up by resting friends within this distance of its goal has arrived
CROWD_FILL = 0.15  # ... if such friends fill this part of the circle round its goal: a quarter with one on the goal
WALLED_AFTER = 6  # loops without progress until a way round others that ends at a wall is given up for the other side
HEMMED_AFTER = 12  # loops in which its way round others ended at a wall, after which it passes through its friends
CROWD_PATIENCE = 3  # loops without progress until it settles for that
SQUEEZE_AFTER = 32  # loops without progress after which a unit passes through its friends
SQUEEZE_IN_VAIN = 80  # ... and after which it does so no more (from 64 on): friends are not what holds it up
SAME_GOAL = 1.0  # an order whose goal is nearer to the last one's is that order again
DEEPEST = 1 / 32  # cells to which who was told again presses into friends ahead that are on the move, too
WAITING_STEP = 0.02  # cells a loop by which it then presses on against those before it that push it back
GIVE_UP_AFTER = 24  # loops without progress at a wall next to its goal, after which it has arrived
STEP_OUT = 0.25  # speed at which units leave a cell that became blocked under them

# -- ways
REPLAN_PERIOD = 8  # a walking unit looks again for the next corner every so many loops
FIELDS_PER_LOOP = 2  # distance fields filled in one loop at most; further units wait for the next
PATIENCE = 224  # loops that a field is used on when the ground has changed, as long as the next leg is clear
BLOCK = 4  # goals of one block of so many cells share a field where the block's middle sees them
SHORE = 12  # cells round a blocked goal in which free ground is looked for
HALF_BODY = 3  # cells from the middle of a body (the widest is a town hall) to the free ground round it
BODY = 6.0  # a line to a blocked goal of unknown extent may end inside a body of up to this length
EDGE = 0.76  # a line to a blocked corner of a way may end inside that cell only (half a cell's diagonal)
MARGIN = 64  # quarter cells that a field reaches beyond the unit it was filled for
CROSSING = 2048.0  # added to the distance for each blocked cell that a way would have to cross
CROSSING_LIMIT = 64  # blocked cells that a field looks through to find the nearest reachable place

# -- fighting
READY = 0.27  # loops of cooldown with which a weapon fires (fitted to gaps of real kills, see docs/rules.md)
SWING_ENDS = 1.0  # loops of backswing left of who sets out: the shot's own loop counts
LATER = 0.5  # loops added to the wait for a later hit, so that it comes in the nearest loop (4.4 of 4.48 in real gaps)
HIT_PERIOD = 16  # one HIT event per victim in so many loops
GARRISON_TYPE = 24  # Bunker: who is inside shoots out of it
GARRISON_RANGE = 1.0  # added to their range, which counts from the Bunker's edge
BLIND_RANGE = 0.1  # what Blinding Cloud leaves of a weapon's range: that of blades
FLEE_TIME = 32  # loops that an armed unit which cannot hit back runs from its attacker after a hit
FLEE_STEP = 5.0  # cells away from the attacker that who flees heads for (observed of 4.10: exactly)
FLEE_ORDER = 16  # the move by which workers and the unarmed do: it shows as their order
LARGE = 1.25  # cells of radius from which on a target is not small (catalog: TargetRadiusLarge)
SIEGED_TANK = 32  # its siege mode has a footprint (catalog): friends do not squeeze through it
LOWERED_DEPOT = 47  # as large, and yet a sieged tank's shot splashes round it (catalog: IsSupplyDepotLowered)
CLIFF = 1.5  # cells of height that no ramp rises within the reach of a splash, and every cliff does (ours)
SWEEP = 1.25  # cells that a Colossus burns either side of its target: eleven points of radius .15 (ours: 2.8 wide)
ZONE_RADIUS = 5.0  # of a Liberator, to the edge of what stands in it (catalog, LiberatorAGTarget)
FLIGHT_LIMIT = 40.0  # a missile's target farther away than this has been moved by force: the missile is lost

# -- life
BURN_SHARE = 1.0 / 3.0  # Terran structures below this share of their life burn down
BURN_RATE = 3.0 / 16.0  # hp per loop
START_SHARE = 0.1  # life with which a structure's construction starts
REPAIR_RANGE = 0.2  # catalog 5.0.14, ability Repair
REPAIR_SEARCH = 7.0  # autocast range, the same row
REPAIR_COST = 0.25  # part of the price for a full repair, the same row
HEAL_SEARCH = 6.0  # autocast range of MedivacHeal, catalog 5.0.14
HEAL_START = 5.0  # energy without which a healer does not begin (Liquipedia)
FOLLOW_DISTANCE = 0.5  # edge to edge, at which a follower stops

# -- sight
VISION_PERIOD = 4  # loops between two updates of the visibility grids
HIGHER = 8  # levels byte difference from which ground is too high to be seen from below (one cell of height)
SIGHT_EDGE = 0.5  # added to every sight radius (exact in twelve recordings of real starts, cell by cell)
UNFINISHED_SIGHT = 4.0  # beyond its radius, of a structure under construction
LINGER_LOOPS = 64.0  # loops that something of a dead unit's sight remains (catalog: DeathRevealDuration)
LINGER_SIGHT = 3.0  # its radius (catalog: DeathRevealRadius)
