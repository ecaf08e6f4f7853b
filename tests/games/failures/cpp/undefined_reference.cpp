#include <vector>

class Player {
public:
    int choose(const std::vector<int>& hand);
};

int main() {
    return Player().choose({1, 2});
}
