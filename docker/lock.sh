#!/usr/bin/env bash
# Compile the locks from their sources: requirements.txt (for the portal) and requirements-dev.txt (the same, and the
# packages for tests). Run it after changing requirements*.in and once a month. `--check` only checks that the locks meet
# every requirement in the sources, without contacting a registry.
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
  # The development lock must have the same versions as the other one.
  if ! diff <(grep -E '^[a-z].*==' requirements.txt | sed 's/ .*//') \
            <(grep -E '^[a-z].*==' docker/requirements-dev.txt | sed 's/ .*//') | grep '^<'; then exit $status; fi
  echo "The lines above differ in docker/requirements-dev.txt: run docker/lock.sh"
  exit 1
fi

uv=(uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header)
command -v uv >/dev/null || { echo "uv is needed to compile the locks: pip install uv" >&2; exit 1; }
"${uv[@]}" "$@" docker/requirements.in -o requirements.txt
"${uv[@]}" "$@" docker/requirements-dev.in -c requirements.txt -o docker/requirements-dev.txt
