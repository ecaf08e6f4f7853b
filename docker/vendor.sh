#!/usr/bin/env bash
# Download the contents of static/vendor/ again from the npm registry, as pinned in static/vendor/MANIFEST.json. For
# developers: neither the installation nor the portal needs npm. The tarball and every file must have the pinned hash.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../static/vendor"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 - "$work" <<'PYTHON'
import base64
import hashlib
import json
import pathlib
import subprocess
import sys
import tarfile

work = pathlib.Path(sys.argv[1])
for package in json.loads(pathlib.Path("MANIFEST.json").read_text()):
    name = f"{package['name']}@{package['version']}"
    packed = subprocess.run(
        ["npm", "pack", "--silent", "--pack-destination", work, name], check=True, capture_output=True, text=True
    )
    tarball = work / packed.stdout.split()[-1]
    algorithm, _, expected = package["integrity"].partition("-")
    if base64.b64encode(hashlib.new(algorithm, tarball.read_bytes()).digest()).decode() != expected:
        sys.exit(f"{name}: the tarball does not have the pinned hash")
    folder = pathlib.Path(package["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(tarball) as archive:
        for file, pinned in package["files"].items():
            same_name = [member for member in archive if pathlib.PurePosixPath(member.name).name == file]
            algorithm, _, expected = pinned.partition(":")
            for member in same_name:
                data = archive.extractfile(member).read()
                if hashlib.new(algorithm, data).hexdigest() == expected:
                    (folder / file).write_bytes(data)
                    break
            else:
                sys.exit(f"{name}: no {file} with the pinned hash")
    print(f"{name}: {len(package['files'])} files as pinned")
PYTHON
