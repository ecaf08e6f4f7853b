#!/usr/bin/env bash
# Run `./run` and `./run test` on three machines ("rooms") made only from Debian's packages:
#
#   bare    root in a chroot of a debootstrapped Debian 12, without Python, compiler or git; nobody can create user
#           namespaces or control groups there
#   user    an ordinary user without sudo on a whole machine: user namespaces, but no writable control group; root
#           runs the command that ./run prints
#   image   the steps of docker/Dockerfile, run without a container engine; the portal runs
#           as the image's user, the tests as `docker run --user root` runs them, with a container's capabilities and
#           with control groups that nobody can write to
#
#   docker/rooms.sh [bare] [user] [image] [--quick] [-- PYTEST ARGUMENTS]
#
# In each room a clean clone of HEAD starts the portal, waits until the demo has played its first match, stops the
# portal and runs all tests. --quick runs only tests that depend on the machine. Arguments after `--` go to pytest.
#
# Needs root and debootstrap. KIBITZ_ROOMS names a folder that keeps the rooms for the next run, with the packages
# installed in them. Without it they are removed at the end. KIBITZ_MIRROR names a Debian mirror. pip uses the settings
# of this machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

QUICK=(tests/submissions tests/sandbox tests/games tests/test_run.py tests/test_docker.py)

say() { printf '\n══ %s\n' "$*" >&2; }
die() { printf '%s\n' "$@" >&2; exit 1; }

# Making a room --------------------------------------------------------------------------------------------------------

make_base() {
  if [ -e "$rooms/base/.ready" ]; then return; fi
  say "debootstrap"
  rm -rf "$rooms/base"
  debootstrap --variant=minbase bookworm "$rooms/base" ${KIBITZ_MIRROR:+"$KIBITZ_MIRROR"} >"$rooms/debootstrap.log" ||
    die "debootstrap failed:" "$(tail -n 5 "$rooms/debootstrap.log")"
  touch "$rooms/base/.ready"
}

make_room() {  # make_room NAME: a copy of the base with a clone, and this machine's network settings
  room=$rooms/$1
  if [ ! -e "$room/.ready" ]; then
    make_base
    rm -rf "$room"
    cp -a "$rooms/base" "$room"
  fi
  rm -rf "$room/kibitz"
  git clone -q . "$room/kibitz"
  cp -L /etc/resolv.conf /etc/hosts "$room/etc/"
  if [ -f /etc/pip.conf ]; then cp -L /etc/pip.conf "$room/etc/"; fi
  # In a place of its own, because installing the package ca-certificates rewrites its list.
  if [ -n "${PIP_CERT:-}" ]; then cp -L "$PIP_CERT" "$room/etc/pip.crt"; fi
}

# The local folders named in pip's settings.
find_links() {
  local path
  { env; cat /etc/pip.conf 2>/dev/null; } | grep -iE '^PIP_|find-links|index' | grep -oE '(file://)?/[^ =]+' |
    sed -E 's,^file://,,; s,/simple$,,' | sort -u | while read -r path; do if [ -d "$path" ]; then echo "$path"; fi; done
}

# Entering it ----------------------------------------------------------------------------------------------------------

# Root's shell in the room, with mount, PID and IPC namespaces of its own that end with it. After `chroot` the kernel
# refuses to create user namespaces; `pivot` makes the room a whole machine, where they are allowed.
enter() {  # enter chroot|pivot SCRIPT [ARGUMENTS]: bash runs the script in the room
  local how=$1 settings=() name
  shift
  for name in $(compgen -e PIP_); do settings+=("$name=${!name}"); done
  if [ -n "${PIP_CERT:-}" ]; then settings+=(PIP_CERT=/etc/pip.crt); fi
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "${settings[@]}" \
    LOCAL="$(find_links)" \
    unshare --mount --pid --ipc --uts --fork --kill-child bash -euc '
      room=$1 how=$2; shift 2
      mount --bind "$room" "$room"
      mount -t proc proc "$room/proc"
      mount -t tmpfs -o mode=755 dev "$room/dev"
      for node in null zero full random urandom tty; do
        touch "$room/dev/$node"
        mount --bind "/dev/$node" "$room/dev/$node"
      done
      mkdir "$room/dev/shm" "$room/dev/pts"
      mount -t tmpfs -o mode=1777 shm "$room/dev/shm"
      mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$room/dev/pts"
      ln -s pts/ptmx "$room/dev/ptmx"
      ln -s /proc/self/fd "$room/dev/fd"
      for fd in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${fd%:*}" "$room/dev/${fd#*:}"; done
      mount -t tmpfs -o mode=1777 tmp "$room/tmp"
      for folder in $LOCAL; do
        mkdir -p "$room$folder"
        mount --bind -o ro "$folder" "$room$folder"
      done
      unset LOCAL
      # Not by exec: process 1 must reap orphans.
      if [ "$how" = chroot ]; then chroot "$room" bash -euo pipefail -c "$@" || exit; exit; fi
      mount --rbind /sys "$room/sys"
      # Containers see control groups, each a file system of its own, but cannot write to them.
      awk -v sys="$room/sys" "index(\$5, sys) == 1 { print \$5 }" /proc/self/mountinfo | while read -r mounted; do
        mount -o remount,bind,ro "$mounted"
      done
      cd "$room"
      mkdir -p .old
      pivot_root . .old
      umount -l /.old
      bash -euo pipefail -c "$@" || exit
    ' enter "$room" "$how" "$@"
}

# Run in every room, by bash inside it ----------------------------------------------------------------------------------

# first_match PYTHON COMMAND…: start the portal, wait until its demo has played a match, stop it with Ctrl-C's signal.
FIRST_MATCH='
first_match() {
  local python=$1 var=${VAR_DIR:-var} began=$SECONDS
  shift
  set -m  # its own process group, so that it gets signals
  "$@" >/tmp/portal.log 2>&1 &
  set +m
  local portal=$! count=
  until count=$("$python" -c "
import sqlite3, sys
print(*sqlite3.connect(\"file:$var/portal.sqlite3?mode=ro\", uri=True).execute(
    \"SELECT count(*) FROM tournaments_record\").fetchone())" 2>/dev/null) && [ "$count" -gt 0 ]; do
    if ! kill -0 $portal 2>/dev/null || [ $((SECONDS - began)) -gt ${PATIENCE:-900} ]; then
      cat /tmp/portal.log; echo "No match was played." >&2; return 1
    fi
    sleep 0.5
  done
  echo "first match after $((SECONDS - began)) s"
  kill -INT $portal
  wait $portal || { cat /tmp/portal.log; echo "The portal ended with status $?" >&2; return 1; }
}'

# Root on a bare system: ./run installs what it needs.
walk_bare() {
  make_room bare
  if [ ! -e "$room/.ready" ] && ls "$room/usr/bin" | grep -xE 'python3|gcc|git'; then die "The bare room is not bare."; fi
  enter chroot "$FIRST_MATCH"'
    cd /kibitz
    ! unshare --user true 2>/dev/null || { echo "this room can make user namespaces" >&2; exit 1; }
    first_match .venv/bin/python ./run --port 8123 --workers 1
    ./run test "$@"' bare "$@"
}

# A user without sudo: ./run prints the command for root, who runs it.
walk_user() {
  make_room user
  enter pivot "$FIRST_MATCH"'
    id student >/dev/null 2>&1 || useradd --create-home --shell /bin/bash student
    rm -rf /home/student/kibitz && mv /kibitz /home/student/ && chown -R student: /home/student/kibitz
    cd /home/student/kibitz
    as_student() { setpriv --reuid student --regid student --init-groups env HOME=/home/student "$@"; }
    as_student unshare --user --map-root-user true || { echo "this room cannot make user namespaces" >&2; exit 1; }
    for command in "./run manage check" "./run test --version"; do  # the one for the portal, the one for its tests
      if line=$({ as_student $command || true; } 2>&1 >/dev/null | grep -E "^ +apt-get"); then
        echo "root types: $line"
        DEBIAN_FRONTEND=noninteractive bash -c "$line" >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; exit 1; }
      fi
      as_student $command >/dev/null
    done
    export DEBIAN_FRONTEND=noninteractive
    command -v chromium >/dev/null || apt-get install -y --no-install-recommends chromium >/dev/null
    first_match .venv/bin/python setpriv --reuid student --regid student --init-groups env HOME=/home/student \
      ./run --port 8124 --workers 1
    as_student ./run test "$@"' user "$@"
}

# The steps of docker/Dockerfile, and the privileges that compose.yml and `docker run` leave to root.
walk_image() {
  local packages
  packages=$(sed -n '/^FROM debian/,/^FROM system/p' docker/Dockerfile | sed -n '/--no-install-recommends/,/&&/p' |
    grep -v -e '&&' -e install | tr -d '\\\n')
  packages=${packages/\$LANGUAGES/$(sed -n 's/^ARG LANGUAGES="\(.*\)"$/\1/p' docker/Dockerfile)}
  [ -n "$packages" ] || die "no packages found in docker/Dockerfile"
  make_room image
  cp docker/dpkg-excludes "$room/etc/dpkg/dpkg.cfg.d/kibitz"
  enter pivot '
    packages=$1
    if ! id kibitz >/dev/null 2>&1; then
      apt-get update -qq
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv $packages >/dev/null
      useradd --uid 10001 --home-dir /var/lib/kibitz --create-home kibitz
    fi
    mkdir -p /srv
    rm -rf /srv/kibitz /kibitz/.git && mv /kibitz /srv/kibitz  # .dockerignore
    cd /srv/kibitz
    [ -x /srv/venv/bin/python ] || python3 -m venv /srv/venv
    /srv/venv/bin/pip install -q --no-cache-dir --require-hashes --no-deps -r requirements.txt' image "$packages"
  # The capabilities that Docker leaves to root in a container.
  local kept=chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,net_raw,sys_chroot,mknod
  kept=-all,+${kept//,/,+},+audit_write,+setfcap
  enter pivot "$FIRST_MATCH"'
    cd /srv/kibitz
    export PATH=/srv/venv/bin:$PATH VAR_DIR=/var/lib/kibitz PYTHONDONTWRITEBYTECODE=1
    rm -rf /var/lib/kibitz/*
    first_match python3 setpriv --reuid kibitz --regid kibitz --init-groups --bounding-set -all --no-new-privs \
      env HOME=/var/lib/kibitz KIBITZ_VENV=/srv/venv KIBITZ_SANDBOX_DIR=/tmp/sandbox ./run --port 8125 --workers 1
    capabilities=$1
    shift
    unset VAR_DIR
    setpriv --bounding-set "$capabilities" --inh-caps "$capabilities" ./run test "$@"' image "$kept" "$@"
}

# The walk -------------------------------------------------------------------------------------------------------------

chosen=() arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    bare | user | image) chosen+=("$1") ;;
    --quick) arguments=("${QUICK[@]}") ;;
    --) shift; arguments=("$@"); break ;;
    -h | --help) sed -n '2,21s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit ;;
    *) die "unknown: $1" ;;
  esac
  shift
done
[ "$(id -u)" -eq 0 ] || die "Only root can make these rooms."
command -v debootstrap >/dev/null || die "debootstrap is missing: apt-get install debootstrap"

if [ -n "${KIBITZ_ROOMS:-}" ]; then
  rooms=$(realpath -m "$KIBITZ_ROOMS")
  mkdir -p "$rooms"
else
  rooms=$(mktemp -d)
  trap 'rm -rf --one-file-system "$rooms"' EXIT
fi

failed=()
for name in ${chosen[@]:-bare user image}; do
  say "$name"
  "walk_$name" "${arguments[@]}" &  # not in a condition, where bash would continue after a failure
  wait $! || failed+=("$name")
  if [ -d "$rooms/$name/usr" ]; then touch "$rooms/$name/.ready"; fi
done
if [ ${#failed[@]} -gt 0 ]; then die "" "Failed in: ${failed[*]}"; fi
say "All rooms passed: ${chosen[*]:-bare user image}."
