// Works hard: much input, garbage, exceptions, the time, much output.
#include <ctime>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

int main()
{
    std::ios::sync_with_stdio(false);
    std::string input((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
    std::size_t size = input.size(), caught = 0;
    std::string().swap(input);
    for (int i = 0; i < 2000; i++) {
        std::map<int, std::string> garbage;
        for (int j = 0; j < 20; j++) garbage[j] = std::string(100, 'x');
        try {
            throw std::runtime_error("on purpose");
        } catch (const std::exception &error) {
            caught += garbage.size() > 0;
        }
    }
    std::time_t now = std::time(nullptr);
    std::cerr << std::put_time(std::localtime(&now), "%c %Z") << std::endl;
    for (int i = 0; i < 3000; i++) std::cout << std::setw(63) << i << '\n';
    std::cout << "ok " << size << std::endl;
    return caught == 2000 ? 0 : 2;
}
