"""Libraries that contestants of the original contests had, by language: data for the table of languages.

Each is a Debian package, with the version of the Debian release that the portal runs on, and a program that proves it:
it prints `ok`. What is not installed is not listed for contestants.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from functools import lru_cache

PACKAGES = "/var/lib/dpkg/status"
"""Debian's list of installed packages."""


def packages_now() -> tuple[int, ...]:
    """A value that changes when packages of this machine are installed, upgraded or removed. What was learnt about
    installed programs is good for as long as it stays the same; without Debian's list, for ten minutes."""
    try:
        about = os.stat(PACKAGES)
    except OSError:
        return (int(time.monotonic() // 600),)
    return about.st_size, about.st_mtime_ns


@dataclass(frozen=True, slots=True)
class Library:
    title: str  # as its users call it
    package: str
    proof: str

    def version(self) -> str:
        """The version of its package, such as 3.11.2-2. Blank if it is not installed."""
        return _version(self.package, packages_now())


@lru_cache(maxsize=128)
def _version(package: str, now: tuple[int, ...]) -> str:
    if shutil.which("dpkg-query") is None:
        return ""
    command = ["dpkg-query", "-W", "-f=${db:Status-Abbrev}${Version}", package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    status, _, version = done.stdout.partition(" ")
    return version.strip() if status == "ii" and not done.returncode else ""


CPP_JSON = """\
#include <nlohmann/json.hpp>
#include <iostream>
int main() { std::cout << nlohmann::json::parse("[\\"ok\\"]")[0].get<std::string>() << std::endl; }
"""
JAVA_GSON = """\
class Proof {
    public static void main(String[] words) {
        System.out.println(new com.google.gson.Gson().fromJson("[\\"ok\\"]", String[].class)[0]);
    }
}
"""
HASKELL_AESON = """\
import Data.Aeson
import qualified Data.ByteString.Lazy.Char8 as Bytes
main :: IO ()
main = putStrLn (maybe "" head (decode (Bytes.pack "[\\"ok\\"]") :: Maybe [String]))
"""
HASKELL_NETWORK = """\
import Network.Socket
main :: IO ()
main = withSocketsDo (putStrLn "ok")
"""

LIBRARIES: dict[str, tuple[Library, ...]] = {
    "cpp": (Library("nlohmann/json", "nlohmann-json3-dev", CPP_JSON),),
    "python": (
        Library("numpy", "python3-numpy", "import numpy; print('ok' if numpy.arange(3).sum() == 3 else 'wrong')"),
    ),
    "java": (Library("Gson", "libgoogle-gson-java", JAVA_GSON),),
    "perl": (Library("JSON", "libjson-perl", 'use JSON; print JSON->new->decode(\'["ok"]\')->[0], "\\n";'),),
    "lua": (
        Library("LuaSocket", "lua-socket", "print(require('socket') and 'ok')"),
        Library("cjson", "lua-cjson", "print(require('cjson').decode('[\"ok\"]')[1])"),
    ),
    "tcl": (Library("Tcllib", "tcllib", 'package require json; puts [lindex [json::json2dict {["ok"]}] 0]'),),
    "haskell": (
        Library("network", "libghc-network-dev", HASKELL_NETWORK),
        Library("aeson", "libghc-aeson-dev", HASKELL_AESON),
    ),
}
