import json


def read(text):
    try:
        return json.loads(text)
    except ValueError:
        return fallback(text)


def fallback(text):
    return {"hand": text}["cards"]


print(read("c2 c3"))
