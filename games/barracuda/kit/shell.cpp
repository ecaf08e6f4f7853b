// An empty player: your strategy goes here. As it stands it plays its highest card and rejects every challenge.
#include "barracuda.hpp"

class Shell : public barracuda::Player {
public:
    int choose_card(const barracuda::State &state) override { return state.hand.front(); }

    bool answer_challenge(const barracuda::State &) override { return false; }

    // Such as type "trick_won", by 1, card 13; `by` is `me` when it was you.
    void hear_result(const barracuda::Result &) override {}
};

int main(int argc, char **argv)
{
    Shell player;
    return barracuda::run(player, argc, argv);
}
