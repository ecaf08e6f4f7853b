/*
 * random.cpp - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable player:
 * make it a little better, again and again.
 */
#include "intensity_kit.hpp"

#include <iostream>
#include <string>

using intensity::Cards;
using intensity::Question;
using intensity::random_int;

std::string player_name()
{
    return "Random in C++";
}

Cards choose_discards(const Cards &hand)
{
    Cards left = hand, chosen;
    while (chosen.size() < 3) {
        auto place = left.begin() + random_int(static_cast<int>(left.size()));
        chosen.push_back(*place);
        left.erase(place);
    }
    return chosen;
}

int choose_card(const Question &question)
{
    Cards legal = question.legal();
    return legal[static_cast<std::size_t>(random_int(static_cast<int>(legal.size())))];
}

void run_unit_tests()
{
    std::cout << "no tests\n";
}

/* Do not change this. */
int main()
{
    return intensity::run(player_name, choose_discards, choose_card, run_unit_tests);
}
