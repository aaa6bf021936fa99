"""What was measured in the real game: replays of ladder games (client 4.10.0) and AI Arena games of 2026 (5.0.14)."""

from __future__ import annotations

# Loops from the first observation of a structure to the one that shows it finished; replays 4.10.0 and 5.0.14 agree.
STRUCTURES = {
    "SupplyDepot": 480,
    "Refinery": 480,
    "Barracks": 1040,
    "EngineeringBay": 560,
    "Bunker": 640,
    "MissileTurret": 400,
    "SensorTower": 400,
    "Factory": 960,
    "Starport": 800,
    "Armory": 1040,
    "GhostAcademy": 640,
    "FusionCore": 1040,
    "CommandCenter": 1600,
    "BarracksTechLab": 400,
    "BarracksReactor": 800,
    "FactoryTechLab": 400,
    "FactoryReactor": 800,
    "StarportTechLab": 400,
    "StarportReactor": 800,
}
# Smallest gap between two units of one producer whose queue never ran dry.
GAPS = {"SCV": 271, "Marauder": 479, "SiegeTank": 719, "Reaper": 719, "Banshee": 959, "VikingFighter": 671}
HOSTS = {"Marauder": "Barracks", "Reaper": "Barracks", "SiegeTank": "Factory", "Banshee": "Starport"}
# Minerals gathered since loop 0 with constant SCV production and no gas: medians of 156 built-in AI games, 4.10.0.
MINERALS = {160: 35, 320: 120, 480: 190, 640: 285, 800: 375, 960: 460, 1280: 650, 1440: 740, 1600: 840}
# Three workers each on one and on two refineries, to the first fight: 1,003 and 1,277 windows of 240 loops of 125
# sides, both patches, in which nobody came or went: 33.04 and 33.01 loops from load to load.
GAS_A_MINUTE = {1: 162.7, 2: 325.7}
# Loops of a trip of one or two workers that nobody tells anything, by their gas structure's place, and what these may
# be off (5.0.14). At the first place 88 (one worker for 4,160 loops, two for 2,240) and 86 (seen once), at the other 94
# (two for 2,880): no other whole number gives in each window of 240 loops the loads that really came.
GAS_TRIPS = {(7.0, 3.0): (87.0, 1.0), (4.0, 7.0): (94.0, 0.5)}
# Loops from delivery to delivery of workers that four ladder bots steer (5.0.14, 1138 trips to loop 2000 without a
# wait; the bots' means differ by 0.2 to 1.2), and the point to which they are sent: cells off the field's middle to
# the town hall. By the field's place off the hall, mirrored.
STEERED_TRIPS = {
    (0.5, 6.0): (98.4, 0.11, 1.32),
    (0.5, 7.0): (109.6, -0.29, 1.29),
    (1.5, 7.0): (110.6, -0.29, 1.29),
    (2.5, 6.0): (101.0, 0.51, 1.22),
    (4.5, 6.0): (112.9, 0.79, 1.06),
    (5.5, 5.0): (109.6, 0.98, 0.89),
    (6.5, 0.0): (98.8, 1.32, 0.0),
    (6.5, 2.0): (99.2, 1.27, 0.39),
    (6.5, 4.0): (111.3, 1.13, 0.69),
    (7.5, 1.0): (111.2, 1.29, 0.29),
}
# Loops from load to load of Probes that one bot, which looks in every loop, leads home and lets go out by themselves:
# medians of 7 to 34 trips of two games on maps that are not recorded (5.0.14), by the field's place.
LED_HOME = {
    (0.5, 6.0): 103.0,
    (0.5, 7.0): 115.0,
    (2.5, 6.0): 106.0,
    (5.5, 5.0): 115.0,
    (6.5, 0.0): 102.0,
    (6.5, 2.0): 103.0,
    (6.5, 4.0): 116.0,
    (7.5, 1.0): 115.0,
}
# Loops of a trip of a MULE by its field's place, from the cells in which 294 of real games (both patches) were when
# their time was over, 1506 to 1510 loops after the call: eight or nine trips by then, so each is known to a loop.
MULE_TRIPS = {
    (0.5, 6.0): 146.1,
    (3.5, 6.0): 160.3,
    (4.5, 6.0): 160.5,
    (5.5, 5.0): 163.3,
    (6.5, 0.0): 147.5,
    (6.5, 4.0): 163.5,
}
MULE_INTERVAL = 1420  # mode of 1,164 intervals of one Orbital Command
TRAVEL = (("Marine", 2.25, 1000), ("SCV", 2.8125, 2.5), ("SiegeTank", 2.25, 1000), ("Reaper", 3.75, 1000))
FAST_WARP = 81  # loops of a warp-in near a town hall or gate
