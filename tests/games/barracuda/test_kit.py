"""The clients of the kits in all their languages: built with the real compilers, over real connections."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from games.barracuda import GAME
from games.barracuda.wire import greeting, refusal
from games.build import program_of
from games.frames import frame
from games.kits import example, kit_files, kit_names, kit_zip
from games.players import Seated
from games.programs import LocalProgram
from games.record import verify
from games.referee import play
from games.sockets import SocketPlayer
from games.toolchains import RECIPES
from tests.games.cast import FirstLegal
from tests.games.workshop import few, needs
from tests.waiting import state_of, wait_for

KIT = Path(str(GAME.folder)) / "kit"
LANGUAGES = kit_names(GAME)[:-1]
SHELLS = {
    language: next(name for name in kit_files(GAME, language) if name.lower().startswith("shell"))
    for language in LANGUAGES
}
PATIENCE = 120.0
"""Seconds: thirty clients start at once."""

STATE = {
    "hand": [12, 9, 8, 8, 1],
    "card": 7,
    "hand_id": 1,
    "game_id": 404912,
    "your_tricks": 0,
    "their_tricks": 0,
    "can_challenge": False,
    "in_challenge": True,
    "total_tricks": 0,
    "your_points": 0,
    "opponent_id": 25,
    "their_points": 0,
    "player_number": 0,
}


def program(language: str, name: str | None = None) -> LocalProgram:
    needs(language)
    return program_of(GAME, str(KIT / (name or example(GAME, language))))


class Server:
    """The server end of one client's connections."""

    def __init__(self, built: LocalProgram) -> None:
        self.program = built  # its port is open as long as it exists
        self.listener = built.listener
        self.listener.settimeout(PATIENCE)
        self.process = built.start()

    def accept(self) -> socket.socket:
        stream, _ = self.listener.accept()
        stream.settimeout(PATIENCE)
        return stream

    def close(self) -> None:
        self.process.stop(0.0)


@pytest.fixture
def serve() -> Iterator[Any]:
    servers: list[Server] = []

    def served(built: LocalProgram) -> Server:
        servers.append(Server(built))
        return servers[-1]

    yield served
    for server in servers:
        server.close()


def receive(stream: socket.socket) -> dict[str, Any]:
    return dict(json.loads(read(stream, int.from_bytes(read(stream, 4), "big"))))


def read(stream: socket.socket, size: int) -> bytes:
    """As many bytes, in however many pieces they come. With a timeout, MSG_WAITALL waits for the first one alone."""
    data = b""
    while len(data) < size:
        piece = stream.recv(size - len(data))
        assert piece, f"the client left after {data!r}"
        data += piece
    return data


def request(number: int, kind: str = "request_card", **changes: Any) -> bytes:
    message = {
        "type": "request",
        "request": kind,
        "request_id": number,
        "remaining": 2.0,
        "state": {**STATE, **changes},
    }
    return frame(json.dumps(message, separators=(",", ":")).encode())


def handshake_moves_and_reconnect(server: Server) -> None:
    """A greeting with unknown fields, messages split and joined, and a new connection when it loses one."""
    stream, pid = server.accept(), server.process._popen.pid
    stream.sendall(frame(b'{"type":"greetings_program","team_id":11,"motd":{"deep":[1,{"er":"\\"}]"}]}}'))
    stream.sendall(request(17))
    assert receive(stream) == {"type": "move", "request_id": 17, "response": {"type": "play_card", "card": 12}}
    result = frame(b'{"type":"result","your_player_num":0,"result":{"type":"trick_won","by":1,"card":13}}')
    data = result + request(2**31 - 1, "challenge_offered", hand=[8, 1])
    for start in range(0, len(data), 50):
        stream.sendall(data[start : start + 50])
        wait_for(lambda: state_of(pid) == "S", pause=0.001)  # it has read that, and waits for more
    assert receive(stream) == {"type": "move", "request_id": 2**31 - 1, "response": {"type": "reject_challenge"}}
    stream.sendall(result * 3 + frame(b'{"type":"news"}') + request(5, hand=[1]))
    assert receive(stream)["response"] == {"type": "play_card", "card": 1}
    stream.close()
    again = server.accept()
    again.sendall(frame(greeting(11)) + request(5, hand=[1]))
    assert receive(again) == {"type": "move", "request_id": 5, "response": {"type": "play_card", "card": 1}}
    again.close()


def waiting_for_a_server(built: LocalProgram) -> None:
    """The first attempt is refused, and it tries again."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))  # reserved for us from now on, and refused until we listen
        listener.settimeout(PATIENCE)
        address = [*map(str, listener.getsockname())]
        process = subprocess.Popen([*built._command, *address], cwd=built._folder, stderr=subprocess.PIPE)
        try:
            assert process.stderr
            assert b"no connection" in process.stderr.readline()
            listener.listen()
            listener.accept()[0].close()
        finally:
            process.kill()
            process.communicate()


def reconnecting(built: LocalProgram) -> None:
    server = Server(built)
    try:
        handshake_moves_and_reconnect(server)
    finally:
        server.close()


@pytest.fixture(scope="module")
def patient(request: pytest.FixtureRequest, builds_are_kept: None) -> Iterator[dict[tuple[str, str], Future[None]]]:
    """The five seconds of the rule, for all languages of this run at the same time."""
    calls = [item.callspec.params for item in request.session.items if "patient" in getattr(item, "fixturenames", ())]
    there = sorted({call["language"] for call in calls if not RECIPES[call["language"]].missing()})
    tasks = [(action, language) for language in there for action in (reconnecting, waiting_for_a_server)]
    built = [program(language, SHELLS[language]) for _, language in tasks]  # each is told where its own server is
    with ThreadPoolExecutor(len(tasks)) as pool:
        yield {
            (action.__name__, language): pool.submit(action, each)
            for (action, language), each in zip(tasks, built, strict=True)
        }


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_handshake_moves_and_reconnect(language: str, patient: dict[tuple[str, str], Future[None]]) -> None:
    needs(language)
    patient["reconnecting", language].result()


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_it_waits_for_a_server_that_is_not_there_yet(
    language: str, patient: dict[tuple[str, str], Future[None]]
) -> None:
    needs(language)
    patient["waiting_for_a_server", language].result()


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_a_refused_client_ends_and_says_why(language: str, serve: Any) -> None:
    server = serve(program(language))
    stream = server.accept()
    stream.sendall(frame(refusal("10.2.88.12", "I don't know you")))
    end = server.process.ended(PATIENCE)
    assert end is not None
    assert end.code != 0
    said = Path(f"/proc/self/fd/{server.process.stderr}")
    with open(said, "rb", buffering=0) as errors:
        assert b"10.2.88.12" in (errors.read(4096) or b"")
    stream.close()


def test_the_client_in_python_tells_how_it_fares(serve: Any) -> None:
    """The opponent and the games won and lost, once per match: clients print nothing else."""
    server = serve(program("python", SHELLS["python"]))
    stream = server.accept()

    def ended(by: int) -> bytes:
        return frame(b'{"type":"result","your_player_num":0,"result":{"type":"game_won","by":%d}}' % by)

    stream.sendall(frame(greeting(11)) + request(1, opponent_id=25))
    stream.sendall(ended(0) + ended(1) + ended(0) + request(2, opponent_id=7) + ended(1))
    for _ in range(2):
        receive(stream)
    lines = b""
    with open(f"/proc/self/fd/{server.process.stderr}", "rb", buffering=0) as errors:
        while lines.count(b"\n") < 3:
            piece = errors.read(4096)
            assert piece, lines
            lines += piece
    assert lines.decode().splitlines()[1:] == [
        "against team 25: won 2, lost 1",
        "against team 7: won 0, lost 1",
    ]
    stream.close()


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_the_random_player_plays_a_legal_random_game(language: str) -> None:
    """Two of them, with enough games for every kind of move: six were sometimes too few."""
    seats = [Seated(f"{number}", "random", SocketPlayer(program(language), startup=60)) for number in (1, 2)]
    match = play(GAME, seats, seed=5, options=GAME.options({"clock": 60}), preset="open", games=30)
    assert match.faults == [[], []]
    said = "".join(piece.text for pieces in match.debug for piece in pieces)
    assert "connected" in said
    assert "no connection" not in said, "the end of a match is no trouble"
    assert verify(match.record) is None
    kinds = {event["event"] for event in match.record["events"]}
    assert {"play", "challenge", "reject", "accept"} <= kinds


@cache
def played(language: str) -> list[tuple[str, int | None]]:
    """What happens when the shell plays against the first legal card."""
    shell = SocketPlayer(program(language, SHELLS[language]), startup=60)
    seats = [Seated("shell", "shell", shell), Seated("first", "first", FirstLegal())]
    record = play(GAME, seats, seed=6, options=GAME.options({"clock": 60}), preset="open", games=2).record
    return [(event["event"], event.get("card")) for event in record["events"] if "ms" in event]


@pytest.mark.parametrize("language", few(language for language in LANGUAGES if language != "c"))
def test_the_shells_of_all_languages_play_alike(language: str) -> None:
    assert played(language) == played("c")


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_a_token_is_sent_first(language: str) -> None:
    """The third argument, on one's own machine."""
    built = program(language, SHELLS[language])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        host, port = listener.getsockname()
        process = subprocess.Popen(
            [*built._command, host, str(port), "secret"], cwd=built._folder, stderr=subprocess.DEVNULL
        )
        try:
            stream, _ = listener.accept()
            stream.settimeout(PATIENCE)
            assert receive(stream) == {"type": "login", "token": "secret"}
            stream.close()
        finally:
            process.kill()
            process.wait()


@pytest.mark.long("kits")
def test_the_kit_for_emacs_lisp_is_a_client_that_works(tmp_path: Path) -> None:
    """It is in no table of languages, because the portal never runs it."""
    if shutil.which("emacs") is None:
        pytest.skip("emacs is not installed")
    with ZipFile(BytesIO(kit_zip(GAME, "elisp"))) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "barracuda-elisp"
    assert "## Emacs Lisp" in (folder / "README.md").read_text()
    shell, player = (LocalProgram(["emacs", "--batch", "-l", f"{name}.el"], folder) for name in ("shell", "random"))
    reconnecting(shell)
    seats = [Seated("random", "random", SocketPlayer(player)), Seated("first", "first", FirstLegal())]
    match = play(GAME, seats, seed=5, options=GAME.options({"clock": 20}), preset="open", games=10)
    assert match.faults == [[], []]
    assert {"play", "challenge"} <= {event["event"] for event in match.record["events"]}
