/* Fork for ever.
   expect: violation clone
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    for (;;)
        fork();
}
