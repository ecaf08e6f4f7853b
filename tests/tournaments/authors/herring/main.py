import sys

from herring.brain import decide
from herring.wire import Wire

if __name__ == "__main__":
    host, port = sys.argv[1:] or ("cuda.contest", "9999")
    wire = Wire(host, int(port))
    for message in wire:
        if message["type"] == "request":
            wire.answer(message, decide(message))
