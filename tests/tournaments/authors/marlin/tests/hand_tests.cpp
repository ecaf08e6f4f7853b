#include "cards/hand.h"
#include <cassert>

int main()
{
    assert(Hand("{\"hand\":[9, 4, 7]}").lowest() == 4);
}
