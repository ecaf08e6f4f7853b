/* Leave a note for the next process in the date of a file.
   expect: violation utimensat /box/bot
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>

int main(void)
{
    return utimensat(AT_FDCWD, "/box/bot", NULL, 0);
}
