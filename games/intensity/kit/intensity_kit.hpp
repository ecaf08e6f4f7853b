/*
 * intensity_kit.hpp - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
 * puts its own copy beside your file.
 *
 * You write four functions (shell.cpp describes them):
 *
 *     player_name   choose_discards   choose_card   run_unit_tests
 *
 * main hands them to intensity::run, which reads the question, calls the one that is wanted, and prints what it returns. Your
 * program is started again for every question: nothing is left of the question before.
 *
 * Print nothing to standard output: it belongs to the answer. Debug with std::cerr; only your team can read that afterwards.
 */
#ifndef INTENSITY_KIT_HPP
#define INTENSITY_KIT_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace intensity {

using Cards = std::vector<int>; // cards are numbers, 10 ... 49

constexpr int BUFFALO = 47;

inline bool is_calf(int card) { return card >= 30 && card <= 39; }

/* What a card costs the player who wins its round. */
inline int penalty(int card) { return card == BUFFALO ? 7 : is_calf(card) ? 1 : 0; }

struct Play {
    int position;
    int card;
};

/* Who wins a round, given in the order of play. */
inline int winner(const std::vector<Play> &round)
{
    Play best = round.at(0);
    for (const Play &play : round) {
        if (play.card / 10 == best.card / 10 && play.card > best.card) best = play;
    }
    return best.position;
}

/* Everything you know when a card is due. Lists are in the order of play, hands and discards in increasing order. */
struct Question {
    int position = 0; // your place at the table, 0 ... 3
    Cards hand;
    Cards table;      // the cards of this round so far; empty: you lead
    Cards played;     // the cards of all rounds before
    Cards discarded;  // what you gave to the player on your left, (position + 1) % 4
    Cards received;   // what you got from the player on your right

    /* Whether a calf was played in an earlier round, so that calves may be led. */
    bool calf_played() const { return std::any_of(played.begin(), played.end(), is_calf); }

    /* The cards that you may play, in increasing order. */
    Cards legal() const
    {
        Cards found;
        for (int card : hand) {
            if (table.empty() ? calf_played() || !is_calf(card) : card / 10 == table[0] / 10) found.push_back(card);
        }
        return found.empty() ? hand : found;
    }

    /* The rounds before this one, in the order of play. */
    std::vector<std::vector<Play>> rounds() const
    {
        std::vector<std::vector<Play>> found;
        int leader = 0;
        for (std::size_t i = 0; i < played.size(); i++) {
            if (i % 4 == 0) found.emplace_back();
            found.back().push_back({(leader + static_cast<int>(i % 4)) % 4, played[i]});
            if (i % 4 == 3) leader = winner(found.back());
        }
        return found;
    }

    /* The cards of this round so far. */
    std::vector<Play> on_the_table() const
    {
        std::vector<Play> found;
        int first = position + 4 - static_cast<int>(table.size());
        for (int card : table) found.push_back({first++ % 4, card});
        return found;
    }
};

/* Any of 0 ... n - 1: different in every run, unless the environment variable INTENSITY_SEED holds a number. */
inline int random_int(int n)
{
    static std::mt19937 generator([] {
        const char *given = std::getenv("INTENSITY_SEED");
        auto now = std::chrono::system_clock::now().time_since_epoch();
        auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
        return static_cast<std::uint32_t>(given ? std::strtoll(given, nullptr, 10) : nanoseconds);
    }());
    return std::uniform_int_distribution<int>(0, n - 1)(generator);
}

/* Answer the question on standard input. Returns what main returns. */
inline int run(const std::function<std::string()> &player_name, const std::function<Cards(const Cards &)> &choose_discards,
               const std::function<int(const Question &)> &choose_card, const std::function<void()> &run_unit_tests)
{
    Cards numbers{std::istream_iterator<int>(std::cin), std::istream_iterator<int>()};
    std::size_t at = 0;
    auto take = [&](int count) {
        if (at + static_cast<std::size_t>(count) > numbers.size()) {
            std::cerr << "the input ends where a number should be\n";
            std::exit(1);
        }
        auto first = numbers.begin() + static_cast<std::ptrdiff_t>(at);
        at += static_cast<std::size_t>(count);
        return Cards(first, first + count);
    };
    int what = take(1)[0];
    if (what == 0) {
        std::cout << player_name() << '\n';
    } else if (what == 1) {
        for (int card : choose_discards(take(10))) std::cout << card << ' ';
        std::cout << '\n';
    } else if (what == 2) {
        Cards about = take(3);
        Question question;
        question.position = about[2];
        question.hand = take(about[0]);
        question.table = take(about[1]);
        question.played = take(4 * (10 - about[0]));
        question.discarded = take(3);
        question.received = take(3);
        std::cout << choose_card(question) << '\n';
    } else {
        run_unit_tests();
    }
    return 0;
}

} // namespace intensity

#endif
