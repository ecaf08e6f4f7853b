"""The filter, run by a small interpreter of our own; the abuse suite runs it in the kernel."""

from __future__ import annotations

import errno
import socket
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from submissions.languages import LANGUAGES, Language
from submissions.sandbox.bpf import ALLOW, ARCHITECTURES, NATIVE, NOTIFY, Check, assemble
from submissions.sandbox.calls import COMPUTING, HOSTILE, NONE, PATHS, PROBING, SOFT, THREAD
from submissions.sandbox.native import native
from submissions.sandbox.policy import JAVA, PYTHON, STATIC, TOOLCHAIN, Policy
from tests.sandbox.sandboxes import needs_jail

pytestmark = [pytest.mark.promise, needs_jail]


def judge(code: bytes, number: int, *arguments: int, architecture: int = NATIVE) -> int:
    """Run a filter over one call, as the kernel would."""
    words = [number, architecture, 0, 0]
    for argument in (*arguments, *[0] * (6 - len(arguments))):
        words += [argument & 0xFFFFFFFF, argument >> 32 & 0xFFFFFFFF]
    program = list(struct.iter_unpack("=HBBI", code))
    at = accumulator = 0
    while True:
        operation, yes, no, constant = program[at]
        at += 1
        if operation == 0x06:
            return int(constant)
        if operation == 0x20:
            accumulator = words[constant // 4]
        elif operation == 0x05:
            at += constant
        else:
            test = {0x15: accumulator == constant, 0x35: accumulator >= constant, 0x45: bool(accumulator & constant)}
            at += yes if test[operation] else no


def answer(policy: Policy, name: str, *arguments: int, processes: int = 1) -> str:
    code, _, _ = policy.compile(native().numbers, processes=processes)
    result = judge(code, native().numbers[name], *arguments)
    return {ALLOW: "allow", NOTIFY: "report"}.get(result) or errno.errorcode[result & 0xFFFF]


@settings(max_examples=25)
@given(
    st.dictionaries(
        st.integers(0, 500), st.sampled_from([ALLOW, NOTIFY, 0x50001, Check(1, ALLOW, NOTIFY, values=(3, 4))])
    ),
    st.integers(0, 600),
    st.integers(0, 5),
)
def test_the_search_tree_says_what_the_table_says(actions: dict[int, int | Check], number: int, argument: int) -> None:
    actions[0] = ALLOW
    expected = actions.get(number, 0x50026)
    if isinstance(expected, Check):
        expected = ALLOW if argument in (3, 4) else NOTIFY
    assert judge(assemble(actions, 0x50026, NOTIFY), number, 0, argument) == expected


def test_a_filter_is_small_enough_for_the_kernel_and_jumps_within_itself() -> None:
    for policy in (STATIC, PYTHON, TOOLCHAIN):
        code, _, _ = policy.compile(native().numbers, processes=1)
        assert len(code) // 8 < 1000
        for number in range(600):
            judge(code, number)


@pytest.mark.parametrize("policy", [STATIC, PYTHON], ids=lambda it: it.name)
@pytest.mark.parametrize("architecture", [0x40000003, next(it for it in ARCHITECTURES.values() if it != NATIVE), 0])
def test_calls_of_another_architecture_are_reported(policy: Policy, architecture: int) -> None:
    code, _, _ = policy.compile(native().numbers, processes=1)
    assert judge(code, 1, architecture=architecture) == NOTIFY


def test_hostile_calls_are_reported_by_both_kinds() -> None:
    for policy in (STATIC, PYTHON):
        for name in HOSTILE:
            if name in native().numbers and name not in policy.allow:
                assert answer(policy, name) == "report", name


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=str)
def test_no_language_lets_a_bot_start_processes_or_talk(language: Language) -> None:
    """Another process would think for free, because its clock is not the bot's."""
    for name in ("fork", "vfork", "clone"):
        assert answer(language.policy, name, 0x1200011) == "report", name
    for family in (socket.AF_INET, socket.AF_INET6):
        assert answer(language.policy, "socket", family) == "report", "process 1 refuses it or hands out nothing"


def test_probing_is_answered_softly_or_allowed_but_never_reported() -> None:
    for name in PROBING:
        if name in native().numbers:
            assert answer(STATIC, name) == "ENOENT"
            assert answer(PYTHON, name) == "allow"


def test_threads_are_no_processes() -> None:
    thread, fork, namespace = 0x3D0F00, 0x1200011, 0x10000011
    assert answer(STATIC, "clone", thread) == "allow"
    assert answer(STATIC, "clone", fork) == "report"
    assert answer(STATIC, "clone", fork, processes=2) == "allow"
    assert answer(STATIC, "clone", namespace, processes=2) == "report"
    assert answer(STATIC, "clone", thread | namespace, processes=2) == "report"
    assert answer(STATIC, "clone3") == "ENOSYS"


def test_where_one_thread_is_all_process_1_refuses_another_and_remembers() -> None:
    for secret in (0, 4711):
        code, calls, _ = STATIC.compile(native().numbers, processes=1, threads=1, secret=secret)
        assert judge(code, native().numbers["clone"], 0x3D0F00) == NOTIFY
        assert struct.pack("=HBB", native().numbers["clone"], THREAD, NONE) in calls


def test_locks_and_terminals_are_refused_softly() -> None:
    assert answer(STATIC, "fcntl", 0, 3) == "allow"
    assert answer(STATIC, "fcntl", 0, 6) == "EPERM"  # F_SETLK
    assert answer(STATIC, "ioctl", 0, 0x5401) == "allow"
    assert answer(STATIC, "ioctl", 0, 0x5412) == "ENOTTY"  # TIOCSTI


def test_a_runtime_that_tries_sockets_is_accused_of_nothing_before_it_uses_one() -> None:
    """AF_INET and AF_INET6 are notified as well, and process 1 hands out /dev/null (test_languages)."""
    for family, expected in ((1, "EACCES"), (16, "EAFNOSUPPORT"), (2, "report"), (10, "report"), (17, "report")):
        assert answer(JAVA, "socket", family) == expected
    assert {answer(JAVA, name) for name in ("connect", "bind", "listen", "accept")} == {"report"}
    assert answer(JAVA, "sendto") == "allow"
    assert answer(JAVA, "sendto", 0, 0, 0, 0, 0x7FFE0010) == "report"
    code, _, _ = JAVA.compile(native().numbers, processes=1)
    assert judge(code, native().numbers["setsockopt"]) == 0x50000, "it is told that it was done"


def test_a_toolchain_may_do_everything_but_what_is_dangerous() -> None:
    for name in ("openat", "execve", "fork", "unlink"):
        assert answer(TOOLCHAIN, name) == "allow"
    for name in ("ptrace", "mount", "bpf", "keyctl", "unshare"):
        assert answer(TOOLCHAIN, name) == "EPERM"
    assert answer(TOOLCHAIN, "socket") == "EACCES"
    assert answer(TOOLCHAIN, "clone", 0x10000011) == "EPERM"
    assert TOOLCHAIN.compile(native().numbers, processes=9)[1:] == (b"", b"")


def test_the_lists_do_not_contradict_each_other() -> None:
    lists = [COMPUTING, PROBING, list(PATHS), HOSTILE, list(SOFT)]
    names = [name for names in lists for name in names]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []
