#include <iostream>
#include <string>

int main() {
    std::string word = "ten";
    std::cout << std::stoi(word) << "\n";
}
