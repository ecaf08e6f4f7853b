// Plays anything that the rules allow. Replace the two choices by your own.
#include "barracuda.hpp"

#include <chrono>
#include <random>

class Random : public barracuda::Player {
public:
    // A card of the hand, or a challenge where one may be offered.
    int choose_card(const barracuda::State &state) override
    {
        if (state.can_challenge && chance() < 0.05)
            return barracuda::OFFER_CHALLENGE;
        return state.hand[static_cast<std::size_t>(chance() * static_cast<double>(state.hand.size()))];
    }

    // Whether to accept the challenge that the other player has offered.
    bool answer_challenge(const barracuda::State &) override { return chance() < 0.5; }

private:
    double chance() { return std::uniform_real_distribution<>(0, 1)(engine_); }

    std::mt19937_64 engine_{
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count())};
};

int main(int argc, char **argv)
{
    Random player;
    return barracuda::run(player, argc, argv);
}
