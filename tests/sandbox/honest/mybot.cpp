// What an honest bot uses of its library.
#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

int main()
{
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    std::mt19937 random(std::random_device{}());
    std::vector<int> cards(52);
    std::iota(cards.begin(), cards.end(), 0);
    std::shuffle(cards.begin(), cards.end(), random);
    auto begin = std::chrono::steady_clock::now();
    std::map<std::string, int> counts;
    std::unordered_map<int, std::optional<std::string>> notes{{1, "one"}};
    std::mutex mutex;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        for (std::string word; words >> word;)
            ++counts[word];
    }
    if (!std::regex_match("dk", std::regex("[cdhs][2-9tjqka]")))
        return 2;
    // One process is one thread here: it is told so as by a machine that has no more, and goes on without.
    try {
        std::thread([] {}).join();
    } catch (const std::system_error &) {
        std::cerr << "no thread\n";
    }
    if (std::async([] { return 41; }).get() != 41) // the library falls back to no thread by itself
        return 3;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    try {
        counts.at("not there");
    } catch (const std::out_of_range &) {
    }
    std::lock_guard<std::mutex> guard(mutex);
    if (std::chrono::steady_clock::now() < begin || std::filesystem::path("a/b").filename() != "b")
        return 4;
    std::cout << std::setprecision(3) << "ok" << std::endl;
}
