// Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

static std::size_t value_of(const std::string &card)
{
    return std::string("23456789TJQKA").find(card.size() == 3 ? 'T' : card[0]);
}

int main()
{
    std::vector<std::string> hand;
    std::string line, word;

    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        if (!(words >> word) || word == "YOU")
            continue;
        if (word.find_first_not_of("0123456789") == std::string::npos) {
            hand.clear();
            for (std::string card; words >> card;)
                hand.push_back(card);
            continue;
        }
        auto chosen = std::find_if(hand.begin(), hand.end(),
                                   [&](const std::string &card) { return value_of(card) >= value_of(word); });
        if (chosen == hand.end())
            chosen = hand.begin();
        std::cout << *chosen << std::endl;
        hand.erase(chosen);
    }
}
