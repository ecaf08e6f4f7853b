#include <stdio.h>
#include "cards.h"

int main(void)
{
    puts("c2");
}
