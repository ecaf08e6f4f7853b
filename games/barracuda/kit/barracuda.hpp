// A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
//
//     g++ -O2 -o bot random.cpp barracuda.cpp && ./bot HOST PORT [TOKEN]
//
// HOST is an address such as 127.0.0.1, or localhost. Your own file makes a player and gives it to `run`; random.cpp
// shows how.
#ifndef BARRACUDA_HPP
#define BARRACUDA_HPP

#include <optional>
#include <string>
#include <vector>

namespace barracuda {

constexpr int OFFER_CHALLENGE = 0; // what choose_card returns instead of a card to offer a challenge

struct State {
    std::vector<int> hand;   // your cards, 1 ... 13, from high to low
    std::optional<int> card; // the card on the table
    int hand_id = 0;         // 1 for the first hand of a game
    int game_id = 0;         // unique to this game
    int your_tricks = 0;     // taken in this hand
    int their_tricks = 0;
    bool can_challenge = false; // whether you may offer a challenge now
    bool in_challenge = false;  // whether one was accepted: this hand decides the game
    int total_tricks = 0;       // played in this hand, ties included
    int your_points = 0;        // in this game; ten win it
    int their_points = 0;
    int opponent_id = 0;   // the number of the other team
    int player_number = 0; // 0 if you led the game, else 1
    double remaining = 0;  // seconds left on your clock for this whole game
};

struct Result {
    std::string type;      // "trick_won", "trick_tied", "hand_done", "game_won", "accepted" or "error"
    std::optional<int> by; // a player number
    int card = 0;          // of "trick_won": the last card played
    std::string reason;    // of "error"
    int me = 0;            // your own player number
};

class Player {
public:
    virtual ~Player() = default;
    virtual int choose_card(const State &state) = 0; // a card of the hand, or OFFER_CHALLENGE where one may be offered
    virtual bool answer_challenge(const State &state) = 0; // whether to accept the other player's challenge
    virtual void hear_result(const Result &) {}            // the result of a move
};

// Play until the server refuses us. The arguments are those of main.
int run(Player &player, int argc, char **argv);

} // namespace barracuda

#endif
