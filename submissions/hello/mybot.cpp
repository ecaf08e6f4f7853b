#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main() {
    std::vector<std::string> hand, pool;
    std::string line, word;
    while (std::getline(std::cin, line)) {
        std::istringstream stream(line);
        std::vector<std::string> words;
        while (stream >> word) words.push_back(word);
        const std::string kind = words.empty() ? "" : words[0];
        if (kind == "starthand") {
            hand.assign(words.begin() + 2, words.begin() + 12);
            pool.assign(words.begin() + 12, words.end());
        } else if (kind == "take" || kind == "aftertake") {
            for (size_t i = 2; i < words.size(); i += 2) pool.erase(std::remove(pool.begin(), pool.end(), words[i]), pool.end());
            if (kind == "take") {
                hand.push_back(pool.front());
                pool.erase(pool.begin());
                std::cout << hand.back() << std::endl;
            }
        } else if (kind == "play") {
            auto card = hand.begin();
            if (words.size() > 2) {
                auto suited = std::find_if(card, hand.end(), [&](auto &it) { return it[0] == words[2][0]; });
                if (suited != hand.end()) card = suited;
            }
            std::cout << *card << std::endl;
            hand.erase(card);
        } else if (kind != "result" && kind != "endround") {
            std::cout << "got " << line << std::endl;
        }
    }
}
