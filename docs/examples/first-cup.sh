#!/usr/bin/env bash
# A contest from its creation to its champion with `kibitz` alone: upload, practise, try a better version, activate it,
# enter the bracket, read the champion. docs/kibitz.md explains the commands.
#
#   ./run --no-demo                                       in one terminal
#   docs/examples/first-cup.sh [http://localhost:8000]    in another, on the same machine
set -euo pipefail

portal=${1:-http://localhost:8000}
clone=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
curl -fsS -o "$work/kibitz.pyz" "$portal/kibitz.pyz"

# Three people, each at a machine of their own: kibitz keeps what it knows below these folders.
as() { XDG_CONFIG_HOME=$work/$1 XDG_CACHE_HOME=$work/$1 python3 "$work/kibitz.pyz" "${@:2}"; }

# People make their tokens on their account page. The portal's own command line makes accounts and tokens for us.
log_in() {
  as "$1" login "$portal" --token "$("$clone/run" manage token "$1" --create "${@:2}")"
}

# The value of a name in the JSON that a command prints.
value() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }

echo "── The organiser makes a contest: Hearts, in short games"
log_in organiser --scope desk
cup=$(as organiser api contests -f name="First Cup" -f preset=hearts:open -f options='{"target": 30}' \
  -f visibility=public | value slug)
as organiser use "$cup"

echo "── Anna and Ben enter, each with the random player of the starter kit"
for name in anna ben; do
  log_in "$name" --scope bot --scope team
  as "$name" use "$cup"
  as "$name" enter "Team of $name"
  as "$name" kit c --output "$work/$name"
  as "$name" submit "$work/$name/hearts-c/random.c" --wait
done

echo "── Anna practises against the house"
as anna practice --opponents house:random --games 4 --wait

echo "── Her second version follows low and throws high cards away. Is it better? A trial tells"
as anna submit "$clone/docs/examples/ducks.c" --no-activate --wait
if as anna trial 2 1 --opponents house:random --cap 60 --wait; then
  as anna activate 2
fi

echo "── The bracket"
stage=$(as organiser api "contests/{contest}/desk/stages" -f name=Final -f format=single_elimination \
  -f table_size=4 -f games=2 | value id)
as organiser api "contests/{contest}/desk/stages/$stage/publish" -X POST >/dev/null
as organiser api "contests/{contest}/desk/stages/$stage/start" -X POST >/dev/null
as ben watch --stage Final
as anna standings --stage Final
