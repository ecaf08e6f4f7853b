from herring.brain import decide

ASKED = {"request": "request_card", "state": {"hand": [9, 4, 2], "card": 3}}

assert decide(ASKED)["card"] == 4
