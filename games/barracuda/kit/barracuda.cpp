// The client of barracuda.hpp, and a small JSON reader for it.
#include "barracuda.hpp"

#include <arpa/inet.h>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace barracuda {
namespace {

constexpr unsigned WAIT = 5; // seconds between two attempts to connect; the server refuses earlier attempts
constexpr std::uint32_t LONGEST = 1 << 24;

// A JSON value. The caller decides what it is. Numbers and words are kept as they were written.
struct Json {
    std::string text;
    std::vector<Json> items;
    std::map<std::string, Json> members;

    const Json *find(const std::string &key) const
    {
        auto found = members.find(key);
        return found == members.end() ? nullptr : &found->second;
    }
    const Json &operator[](const std::string &key) const
    {
        static const Json none;
        const Json *found = find(key);
        return found ? *found : none;
    }
    int whole() const { return std::atoi(text.c_str()); }
    double number() const { return std::atof(text.c_str()); }
    bool truth() const { return text == "true"; }
};

class Reader {
public:
    explicit Reader(const std::string &text) : text_(text) {}

    Json value()
    {
        Json found;
        switch (next()) {
        case '{':
            sequence('}', [&] {
                next();
                std::string key = string();
                expect(':');
                found.members[key] = value();
            });
            break;
        case '[':
            sequence(']', [&] { found.items.push_back(value()); });
            break;
        case '"':
            found.text = string();
            break;
        default: {
            std::size_t end = text_.find_first_of(",:{}[] \t\r\n", at_);
            found.text = text_.substr(at_, end - at_);
            at_ = end == std::string::npos ? text_.size() : end;
        }
        }
        return found;
    }

private:
    char next()
    {
        at_ = text_.find_first_not_of(" \t\r\n", at_);
        if (at_ == std::string::npos)
            throw std::runtime_error("a message ends too soon");
        return text_[at_];
    }

    void expect(char wanted)
    {
        if (next() != wanted)
            throw std::runtime_error("a message is not JSON");
        at_++;
    }

    template <class Item> void sequence(char end, Item item)
    {
        at_++;
        if (next() == end) {
            at_++;
            return;
        }
        for (;;) {
            item();
            if (next() != ',')
                break;
            at_++;
        }
        expect(end);
    }

    std::string string()
    {
        static const std::string escapes = "bfnrt\"\\/", meanings = "\b\f\n\r\t\"\\/";
        std::string found;
        expect('"');
        while (at_ < text_.size() && text_[at_] != '"') {
            if (text_[at_] != '\\') {
                found += text_[at_++];
                continue;
            }
            std::size_t which = at_ + 1 < text_.size() ? escapes.find(text_[at_ + 1]) : std::string::npos;
            if (which != std::string::npos) {
                found += meanings[which];
                at_ += 2;
            } else { // \uXXXX: a character that we could not print anyway
                found += '?';
                at_ += 6;
            }
        }
        at_++;
        return found;
    }

    const std::string &text_;
    std::size_t at_ = 0;
};

State read_state(const Json &message)
{
    const Json &from = message["state"];
    State state;
    for (const Json &card : from["hand"].items)
        state.hand.push_back(card.whole());
    if (const Json *card = from.find("card"))
        state.card = card->whole();
    state.hand_id = from["hand_id"].whole();
    state.game_id = from["game_id"].whole();
    state.your_tricks = from["your_tricks"].whole();
    state.their_tricks = from["their_tricks"].whole();
    state.can_challenge = from["can_challenge"].truth();
    state.in_challenge = from["in_challenge"].truth();
    state.total_tricks = from["total_tricks"].whole();
    state.your_points = from["your_points"].whole();
    state.their_points = from["their_points"].whole();
    state.opponent_id = from["opponent_id"].whole();
    state.player_number = from["player_number"].whole();
    state.remaining = message["remaining"].number();
    return state;
}

Result read_result(const Json &message)
{
    const Json &from = message["result"];
    Result result;
    result.type = from["type"].text;
    if (const Json *by = from.find("by"))
        result.by = by->whole();
    result.card = from["card"].whole();
    result.reason = from["reason"].text;
    result.me = message["your_player_num"].whole();
    return result;
}

bool send_all(int server, const std::string &body)
{
    std::uint32_t header = htonl(static_cast<std::uint32_t>(body.size()));
    std::string data(reinterpret_cast<const char *>(&header), 4);
    data += body; // in one piece
    for (std::size_t at = 0; at < data.size();) {
        ssize_t sent = send(server, data.data() + at, data.size() - at, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        at += static_cast<std::size_t>(sent);
    }
    return true;
}

bool receive_all(int server, char *to, std::size_t size)
{
    while (size) {
        ssize_t got = recv(server, to, size, 0);
        if (got <= 0)
            return false;
        to += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

std::string respond(Player &player, const Json &message)
{
    State state = read_state(message);
    if (message["request"].text == "challenge_offered")
        return player.answer_challenge(state) ? "\"accept_challenge\"" : "\"reject_challenge\"";
    int card = player.choose_card(state);
    return card == OFFER_CHALLENGE ? "\"offer_challenge\"" : "\"play_card\",\"card\":" + std::to_string(card);
}

bool handle(Player &player, int server, const Json &message)
{
    const std::string &type = message["type"].text;
    if (type == "request")
        return send_all(server, "{\"type\":\"move\",\"request_id\":" + message["request_id"].text +
                                    ",\"response\":{\"type\":" + respond(player, message) + "}}");
    if (type == "result") {
        player.hear_result(read_result(message));
    } else if (type == "greetings_program") {
        std::cerr << "connected, we are team " << message["team_id"].text << std::endl;
    } else if (type == "error") {
        std::cerr << "the server refuses us: " << message["message"].text << " (it sees us at "
                  << message["seen_host"].text << ")" << std::endl;
        std::exit(1);
    }
    return true;
}

void talk(Player &player, int server, const char *token)
{
    if (token && !send_all(server, std::string("{\"type\":\"login\",\"token\":\"") + token + "\"}"))
        return;
    std::uint32_t header;
    while (receive_all(server, reinterpret_cast<char *>(&header), 4)) {
        std::uint32_t length = ntohl(header);
        if (length > LONGEST)
            return;
        std::string body(length, '\0');
        if (!receive_all(server, body.data(), length) || !handle(player, server, Reader(body).value()))
            return;
    }
}

} // namespace

int run(Player &player, int argc, char **argv)
{
    if (argc < 3) {
        std::cerr << "usage: " << argv[0] << " HOST PORT [TOKEN]\n";
        return 1;
    }
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(std::atoi(argv[2])));
    const char *host = std::strcmp(argv[1], "localhost") == 0 ? "127.0.0.1" : argv[1];
    if (inet_pton(AF_INET, host, &place.sin_addr) != 1) {
        std::cerr << host << " is not an address such as 127.0.0.1\n";
        return 1;
    }
    for (;;) {
        int server = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
        if (connect(server, reinterpret_cast<sockaddr *>(&place), sizeof place) == 0) {
            setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            talk(player, server, argc > 3 ? argv[3] : nullptr);
        }
        close(server);
        sleep(WAIT); // at home, the end of a match ends us here
        std::cerr << "no connection; trying again" << std::endl;
    }
}

} // namespace barracuda
