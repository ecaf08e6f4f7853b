/* Look around.
   expect: violation chdir /
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    return chdir("/");
}
