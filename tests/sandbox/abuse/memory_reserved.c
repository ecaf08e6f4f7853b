/* Reserve much and use nothing.
   expect: exit 0
*/
#define _GNU_SOURCE
#include <stdlib.h>

int main(void)
{
    return malloc(64 << 20) == NULL;
}
