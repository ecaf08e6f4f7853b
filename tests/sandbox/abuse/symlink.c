/* Make a link out of the folder.
   expect: violation symlink /etc
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    return symlink("/etc", "way_out");
}
