/* Fork for ever where a few processes are allowed: contained by their number.
   expect: killed
   landlock: violation clone another process
   limits: processes=16 memory=1024
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    for (;;)
        fork();
}
