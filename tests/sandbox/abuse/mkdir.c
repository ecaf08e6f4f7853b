/* Make a folder.
   expect: violation mkdir /box/notes
*/
#define _GNU_SOURCE
#include <sys/stat.h>

int main(void)
{
    return mkdir("notes", 0700);
}
