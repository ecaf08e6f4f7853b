#include <iostream>

int main() {
    vector<int> hand(13);
    std::cout << hand.size() << "\n";
}
