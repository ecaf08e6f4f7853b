#include "cards/hand.h"
#include <algorithm>
#include <sstream>

int number(const std::string &message, const std::string &key)
{
    auto at = message.find(key);
    return at == std::string::npos ? 0 : std::stoi(message.substr(at + key.size()));
}

Hand::Hand(const std::string &message)
{
    auto at = message.find("\"hand\":[");
    std::istringstream text(message.substr(at + 8));
    char comma;
    for (int card; text >> card; text >> comma)
        cards.push_back(card);
}

int Hand::lowest() const
{
    return *std::min_element(cards.begin(), cards.end());
}
