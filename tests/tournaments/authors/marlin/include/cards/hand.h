#pragma once
#include <string>
#include <vector>

int number(const std::string &message, const std::string &key);

class Hand {
public:
    explicit Hand(const std::string &message);
    int lowest() const;

private:
    std::vector<int> cards;
};
