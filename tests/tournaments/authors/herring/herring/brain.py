def decide(request):
    """The lowest card that wins the trick, or the lowest of all. Herrings never challenge."""
    if request["request"] != "request_card":
        return {"type": "reject_challenge"}
    state = request["state"]
    hand = sorted(state["hand"])
    to_beat = state.get("card") or 0
    return {"type": "play_card", "card": next((card for card in hand if card > to_beat), hand[0])}
