#include <iostream>
#include <vector>

int main() {
    std::vector<int> hand(13);
    hand.append(3);
    std::cout << hand.size() << "\n";
}
