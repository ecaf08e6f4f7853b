"""What can be wrong, symptom by symptom. A probe reads a visit, and returns what it found or None.

Several symptoms may show at once, and one of them is the cause of the others. So probes are asked in an order
(games.doctor.examinations), and the first that finds something speaks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from games import explaining
from games.doctor.table import Example
from games.doctor.visit import Exchange, Patient, Visit
from games.engine import FaultKind
from games.frames import HEADER, LONGEST
from games.pipes import FLOOD

SHOWN = 300
"""Characters of what was sent or came that are shown."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A symptom in plain words: what the program did, the evidence, and one next step."""

    code: str  # for programs, such as "no-flush"
    said: str  # a sentence with "you": what the program did
    sent: str = ""
    came: str = ""
    expected: str = ""
    step: str = ""
    note: bool = False  # it costs nothing on the portal

    def value(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def shown(data: bytes | str) -> str:
    """What was sent or came, on one line: line ends in the middle as ⏎, and what cannot be printed as \\xNN."""
    text = data.decode("utf-8", "backslashreplace") if isinstance(data, bytes) else data
    text = text.removesuffix("\n").replace("\r", "\\r").replace("\n", " ⏎ ")
    text = "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in text)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def listed(pieces: list[bytes]) -> str:
    """Several lines or messages as one text."""
    return shown(b"\n".join(pieces))


@dataclass(frozen=True, slots=True)
class Case:
    """What every probe may need to know besides the visit."""

    patient: Patient
    example: Example

    @property
    def unit(self) -> str:
        """What an answer is made of in this protocol."""
        return "message" if self.patient.game.protocol == "socket" else "line"

    def expected(self, visit: Visit, exchange: Exchange) -> str:
        """What the document has at that place, or at its last one."""
        if exchange.free:
            return "any line"
        number = sum(not each.free for each in visit.exchanges[: visit.exchanges.index(exchange)])
        answers = self.example.answers
        return f"one {self.unit}, such as {answers[min(number, len(answers) - 1)]}"


Probe = Callable[[Visit, Case], Finding | None]


ANSWER_STEPS = {
    FaultKind.GARBLED: "Compare your answer with the expected one, character by character.",
    FaultKind.ILLEGAL: "Compare what your program knows with what it was told: print its hand to standard error.",
}


def answer(visit: Visit, case: Case) -> Finding | None:
    """An answer that cannot be read, or is not allowed."""
    last = visit.last
    if last is None or last.fault is None:
        return None
    fault = last.fault
    return Finding(
        "illegal-answer" if fault.kind is FaultKind.ILLEGAL else "unreadable-answer",
        f"Your program {fault.detail}.",
        shown(last.sent),
        shown(last.came[0]) if last.came else "nothing",
        case.expected(visit, last),
        ANSWER_STEPS.get(fault.kind, ""),
    )


def carriage_return(visit: Visit, case: Case) -> Finding | None:
    """A program that stumbles over the line ends of Windows."""
    last = visit.last
    if last is None or not visit.spoilt:
        return None
    return Finding(
        "carriage-return",
        "Your program fails if lines end as on Windows (CR LF). The portal ends them with LF alone.",
        f"{shown(last.sent)} (with CR LF)",
        listed(last.came) or "nothing",
        case.expected(visit, last),
        "Remove white space from the end of each line that you read. Then files written on Windows work too.",
        note=True,
    )


BY_HAND = "Start it yourself with the command above, and type what was sent."


def crash(visit: Visit, case: Case) -> Finding | None:
    """A program that ends while an answer is due."""
    last = visit.last
    if last is None or last.exit is None:
        return None
    patient = case.patient
    found = explaining.ended(last.exit.fault().detail, patient.language, visit.stderr, patient.names)
    return Finding(
        "crash",
        f"Your program {found.sentence}.",
        shown(last.sent),
        shown(last.rest) or "nothing",
        case.expected(visit, last),
        found.advice or (f"Look at line {found.line} of {found.file}." if found.file else BY_HAND),
    )


DOUBLE_ANSWER = "double-answer"
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def double(visit: Visit, case: Case) -> Finding | None:
    """More than one answer to a question."""
    for each in visit.exchanges:
        if (count := len(each.came)) > 1:
            many = NUMBERS[count] if count < len(NUMBERS) else str(count)
            did = "sent" if case.unit == "message" else "printed"
            return Finding(
                DOUBLE_ANSWER,
                f"You {did} {many} {case.unit}s for one question.",
                shown(each.sent),
                listed(each.came),
                case.expected(visit, each),
                f"Answer with one {case.unit}: a second one is taken for the answer to the next question.",
            )
    return None


def early(visit: Visit, case: Case) -> Finding | None:
    """An answer that is there before its question."""
    for each in visit.exchanges:
        early = next((line for line, readable in each.unasked if readable and not each.free), None)
        if early is not None:
            return Finding(
                "early-answer",
                f"You answered before you were asked: “{shown(early)}” was there before its question.",
                shown(each.sent),
                f"{shown(early)} (before the question)",
                case.expected(visit, each),
                f"Answer with one {case.unit} for each question, and with nothing when you are only told something.",
            )
    return None


END_STEP = "Leave your loop when there is nothing more to read."


def ending(visit: Visit, case: Case) -> Finding | None:
    """A program that does not end, or fails, when its input ends."""
    if visit.spoilt or case.patient.game.protocol in ("socket", "question"):
        return None
    sent, expected = "the end of your input", "the end of your program"
    if visit.ended is None:
        return Finding(
            "no-end", "Your program goes on when its input has ended.", sent, "nothing", expected, END_STEP, note=True
        )
    if not visit.ended.code and not visit.ended.signal:
        return None
    detail = visit.ended.fault().detail.removesuffix(" without an answer")
    found = explaining.ended(detail, case.patient.language, visit.stderr, case.patient.names)
    said = f"When its input ended, your program {found.sentence}."
    return Finding("end-crash", said, sent, "an error", expected, found.advice or END_STEP, note=True)


FLOOD_STEP = "Write one line for each question. What you want to read yourself belongs on standard error."


def flood(visit: Visit, case: Case) -> Finding | None:
    """A program that writes without end."""
    last = visit.last
    if not visit.flooded or last is None:
        return None
    came = b"".join(last.early) or b"".join(last.came) or last.rest
    said = f"You wrote more than {FLOOD} bytes that nobody asked for."
    return Finding("flood", said, shown(last.sent), shown(came[:FLOOD]), case.expected(visit, last), FLOOD_STEP)


HOW_TO_FLUSH = {
    "c": "fflush(stdout)",
    "cpp": "std::cout << std::flush",
    "go": "writer.Flush()",
    "haskell": "hFlush stdout",
    "java": "System.out.flush()",
    "javascript": "process.stdout.write, and do not call process.exit before it is written",
    "lua": "io.stdout:flush()",
    "pascal": "Flush(Output)",
    "perl": "$| = 1 at the start",
    "php": "fflush(STDOUT)",
    "python": "print(…, flush=True)",
    "ruby": "$stdout.sync = true at the start",
    "rust": "io::stdout().flush()",
    "scala": "Console.flush()",
    "tcl": "flush stdout",
}


def flush(visit: Visit, case: Case) -> Finding | None:
    """An answer that stays in a buffer until the program ends."""
    last = visit.last
    if last is None or not last.silent or not last.late or last.rest or last.busy:
        return None
    how = HOW_TO_FLUSH.get(case.patient.language)
    return Finding(
        "no-flush",
        "Your answer arrived only when you exited: flush.",
        shown(last.sent),
        f"nothing; then, at the end of your input, {listed(last.late)}",
        case.expected(visit, last),
        f"Flush after each answer{f': {how}' if how else ''}. If you do, your program waits for the end of its input.",
    )


BIG_ENDIAN = "Send the number of bytes first, as four bytes with the highest first (network order), then the JSON."


def framing(visit: Visit, case: Case) -> Finding | None:
    """A message whose first four bytes are not its length."""
    last = visit.last
    if case.unit != "message" or last is None or not last.rest or not (last.silent or last.fault):
        return None
    raw = last.rest
    length, wrong_way = int.from_bytes(raw[:HEADER], "big"), int.from_bytes(raw[:HEADER], "little")
    if raw[:1] in (b"{", b"["):
        said = "You sent JSON without the four bytes before it that say how long it is."
    elif not 1 <= length <= LONGEST and wrong_way == len(raw) - HEADER:
        said = "You sent the length of your message with its lowest byte first."
    elif not 1 <= length <= LONGEST:
        said = f"You announced a message of {length} bytes. It may have 1 to {LONGEST}."
    else:
        said = f"You announced {length} bytes and sent {len(raw) - HEADER}."
    return Finding("wrong-length", said, shown(last.sent), shown(raw), case.expected(visit, last), BIG_ENDIAN)


def line_end(visit: Visit, case: Case) -> Finding | None:
    """An answer without the end of its line."""
    last = visit.last
    if case.unit != "line" or last is None or not last.rest or not (last.silent or last.came):
        return None
    what = "What you printed after your answer has" if last.came else "Your answer has"
    return Finding(
        "no-line-end",
        f"{what} no line end, so nobody knows whether it is complete.",
        shown(last.sent),
        shown(last.rest) + (" (and no line end)"),
        case.expected(visit, last),
        "Print a line feed after each answer, and flush.",
    )


def pieces(visit: Visit, case: Case) -> Finding | None:
    """A program that needs its input in one piece."""
    last = visit.last
    if last is None or not visit.spoilt:
        return None
    return Finding(
        "pieces",
        "Your program fails if the lines before a question arrive a moment earlier than the question.",
        f"{shown(last.sent)} (a moment after the lines before it)",
        listed(last.came) or "nothing",
        case.expected(visit, last),
        "Read line by line. Pipes may split what is sent anywhere.",
    )


def silence(visit: Visit, case: Case) -> Finding | None:
    """No answer at all."""
    last = visit.last
    if last is None or not last.silent:
        return None
    did = "was still computing" if last.busy else "was waiting, and did nothing"
    step = (
        "Look for a loop that never ends, or think less."
        if last.busy
        else f"Answer as soon as you have read the {case.unit} that asks, and do not wait for more input."
    )
    return Finding(
        "silent",
        f"You did not answer within {last.seconds:.1f} seconds. Your program {did}.",
        shown(last.sent),
        "nothing",
        case.expected(visit, last),
        step,
    )


def slow(visit: Visit, case: Case) -> Finding | None:
    """A slow start. The first answer may take what is allowed for starting, but half of that is close: the portal is
    busier."""
    if not visit.exchanges or visit.exchanges[0].silent:
        return None
    first, allowed = visit.exchanges[0], case.patient.startup
    if first.seconds <= allowed / 2:
        return None
    return Finding(
        "slow-start",
        f"Your first answer took {first.seconds:.1f} seconds. Starting may take {allowed:g}.",
        shown(first.sent),
        f"the answer after {first.seconds:.1f} seconds",
        f"an answer within {allowed:g} seconds, on a busier machine than yours",
        "Load or compute less before your first answer.",
        note=first.seconds <= allowed,
    )


def stray(visit: Visit, case: Case) -> Finding | None:
    """Text among the answers that is not an answer."""
    for each in visit.exchanges:
        unreadable = [line for line, readable in (*each.unasked, *each.answers) if not readable]
        unreadable += [line for line, _ in each.unasked if each.free]
        if unreadable and (each.early or len(each.came) > 1):
            line = unreadable[0]
            did = "sent" if case.unit == "message" else "printed"
            return Finding(
                "stray-print",
                f"You {did} “{shown(line)}” among your answers.",
                shown(each.sent),
                listed([*each.early, *each.came]),
                case.expected(visit, each),
                "Print it to standard error instead. The portal shows it to you beside the game."
                if case.unit == "line"
                else "Send nothing but answers over the connection. Print debugging to standard error.",
            )
    return None


def unconnected(visit: Visit, case: Case) -> Finding | None:
    """A TCP client that never connects."""
    if visit.connected:
        return None
    patient, step = case.patient, explaining.UNCONNECTED
    came = f"no connection within {patient.startup:g} seconds"
    said = f"Your program never connected to {visit.address} (HOST PORT)."
    if visit.ended is not None:
        found = explaining.ended(
            visit.ended.fault("having connected").detail, patient.language, visit.stderr, patient.names
        )
        said, came, step = f"{said} It {found.sentence}.", "the end of your program", found.advice or step
    elif words := explaining.last_words(visit.stderr):
        came += f", and on standard error “{words}”"
    return Finding("never-connected", said, f"HOST PORT as arguments: {visit.address}", came, "a connection", step)
