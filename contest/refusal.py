"""The exception that tells a person why their request was refused, and the most common refusal."""


class Refused(Exception):
    """The request cannot be carried out, and nothing has changed. The message is shown to the person who asked."""


REASON_LENGTH = 300  # as much as the ledger keeps


def reason_given(reason: str, request: str) -> str:
    """The reason as one line of at most `REASON_LENGTH` characters. Raises Refused, asking for one, if it is blank."""
    line = " ".join(reason.split())
    if not line:
        raise Refused(request)
    return line[:REASON_LENGTH]
