// Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <vector>

int main()
{
    std::vector<int> numbers{std::istream_iterator<int>(std::cin), std::istream_iterator<int>()};
    if (numbers.empty() || numbers[0] == 0) {
        std::cout << "Plain C++\n";
    } else if (numbers[0] == 1) {
        std::cout << numbers[1] << ' ' << numbers[2] << ' ' << numbers[3] << '\n';
    } else if (numbers[0] == 2) {
        auto hand = numbers.begin() + 4, table = hand + numbers[1], past = table + numbers[2];
        bool leads = table == past;
        bool calves = std::any_of(past, past + 4 * (10 - numbers[1]), [](int card) { return card / 10 == 3; });
        auto may = [&](int card) { return leads ? calves || card / 10 != 3 : card / 10 == *table / 10; };
        auto found = std::find_if(hand, table, may);
        std::cout << (found == table ? *hand : *found) << '\n';
    }
}
