#include <iostream>
#include <vector>

int main() {
    std::vector<int> hand;
    std::cerr << "my hand is empty\n";
    std::cout << hand.at(3) << "\n";
}
