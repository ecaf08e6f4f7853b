"""The sandbox builds and runs strangers' programs so that nothing gets out and nobody is blamed wrongly.

    probe().demand()                                              # raises if bots cannot be confined here
    result = build(language, source, "mybot.cpp", kit_files)      # in a jail of its own
    with Jail.open(result.artifact, language, Limits(memory_bytes=4 << 20)) as jail:
        process = jail.start()                                    # games.programs.Process, for the referee

It does not use Django. `MachineryError` is our failure; `Exit` says how a bot ended.
"""

from games.programs import Answer
from submissions.sandbox.build import BuildLimits, BuildResult, build, build_folder
from submissions.sandbox.jail import Jail
from submissions.sandbox.probe import Level, probe
from submissions.sandbox.process import JailedProcess
from submissions.sandbox.recipe import Limits
from submissions.sandbox.roots import Parcel

__all__ = [
    "Answer",
    "BuildLimits",
    "BuildResult",
    "Jail",
    "JailedProcess",
    "Level",
    "Limits",
    "Parcel",
    "build",
    "build_folder",
    "probe",
]
