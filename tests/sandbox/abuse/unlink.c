/* Remove our own program.
   expect: violation unlink /box/bot
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    return unlink("bot");
}
