/* Leave a note for the next process beside the content of a file.
   expect: violation setxattr /box/bot
*/
#define _GNU_SOURCE
#include <sys/xattr.h>

int main(void)
{
    return setxattr("/box/bot", "user.notes", "x", 1, 0);
}
