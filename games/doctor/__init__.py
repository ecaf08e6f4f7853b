"""`kibitz doctor`: drive a program through the worked example of its game, and say in plain words what it does wrong.

    table         reads the worked example of a game and plays it: one seat is the program's, the others do what it says
    voices/       one for each way of speaking: they put the questions, and note everything that comes
    visit         what was noted, exchange by exchange
    probes        one for each symptom: they read a visit, and say what is wrong
    examinations  `kibitz doctor GAME BOT`: which visits there are, and which probes look at each

No game is known here. A game takes part with `example.json` in its folder, a language by its reader in
games.explaining, and a protocol by its voice.
"""
