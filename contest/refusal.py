"""The exception that tells a person why their request was refused."""


class Refused(Exception):
    """The request cannot be carried out, and nothing has changed. The message is shown to the person who asked."""
