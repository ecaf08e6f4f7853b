/* Change the mode of a file.
   expect: violation chmod /box/bot
*/
#define _GNU_SOURCE
#include <sys/stat.h>

int main(void)
{
    return chmod("/box/bot", 0777);
}
