#include <stdexcept>

int choose(int legal) {
    if (legal == 0)
        throw std::runtime_error("no legal card in hand");
    return 1;
}

int main() {
    return choose(0);
}
