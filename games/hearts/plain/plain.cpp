// Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played.
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

static std::vector<std::string> hand(13);

static std::size_t choose(const std::string &trick, const std::string &led)
{
    std::size_t any = 13;
    for (std::size_t i = 0; i < 13; i++) {
        if (hand[i].empty()) continue;
        if (any == 13) any = i;
        if (!led.empty() ? hand[i].back() == led.back() : trick == "0" ? hand[i] == "2C" : hand[i].back() != 'H') return i;
    }
    return any;
}

int main()
{
    std::size_t seat = 0;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream stream(line);
        std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
        std::string kind = words.empty() ? "" : words[0];
        if (kind == "hello" || kind == "end") std::cout << kind << std::endl;
        else if (kind == "game") seat = std::stoul(words[5]);
        else if (kind == "hand") hand.assign(words.begin() + 2, words.end());
        else if (kind == "pass") std::cout << "0 1 2" << std::endl;
        else if (kind == "received") {
            for (std::size_t i = 1; i < 7; i += 2) hand[std::stoul(words[i])] = words[i + 1];
        } else if (kind == "play") {
            std::cout << choose(words[1], words.size() > 3 ? words[3] : "") << std::endl;
        } else if (kind == "trick") {
            for (std::string &card : hand)
                if (card == words[1 + seat]) card.clear();
        }
    }
}
