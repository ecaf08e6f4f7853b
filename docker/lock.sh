#!/usr/bin/env bash
# Compile the locks from their sources: requirements.txt (what the portal runs on) and requirements-dev.txt (the same and
# what its tests need). Run it after a change of requirements*.in and once a month; `--check` only says whether every
# requirement of the sources is met by the locks, without asking any registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ "${1:-}" = --check ]; then
  status=0
  for pair in requirements.in:requirements.txt requirements-dev.in:docker/requirements-dev.txt; do
    lock=${pair#*:}
    while read -r name; do
      if ! grep -qi "^${name}[=[]" "$lock"; then echo "$lock has no $name: run docker/lock.sh"; status=1; fi
    done < <(sed -nE 's/^([A-Za-z0-9][A-Za-z0-9_.-]*).*/\1/p' "docker/${pair%%:*}" | tr _ -)
  done
  # The development lock must hold the very versions of the other one.
  if ! diff <(grep -E '^[a-z].*==' requirements.txt | sed 's/ .*//') \
            <(grep -E '^[a-z].*==' docker/requirements-dev.txt | sed 's/ .*//') | grep '^<'; then exit $status; fi
  echo "The lines above differ in docker/requirements-dev.txt: run docker/lock.sh"
  exit 1
fi

uv=(uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header)
command -v uv >/dev/null || { echo "uv is needed to compile the locks: pip install uv" >&2; exit 1; }
"${uv[@]}" "$@" docker/requirements.in -o requirements.txt
"${uv[@]}" "$@" docker/requirements-dev.in -c requirements.txt -o docker/requirements-dev.txt
