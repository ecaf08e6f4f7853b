/* Fork for ever.
   expect: violation clone another process
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    for (;;)
        fork();
}
