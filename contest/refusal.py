"""The one exception by which a deed says no to a person."""


class Refused(Exception):
    """What was asked cannot be done. The text is one clear sentence, shown to whoever asked. Nothing was changed."""
