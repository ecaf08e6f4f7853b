/* A name that only begins like one which is allowed.
   expect: violation openat /usr/share/zoneinfo2/notes
*/
#define _GNU_SOURCE
#include <fcntl.h>

int main(void)
{
    return open("/usr/share/zoneinfo2/notes", O_RDONLY);
}
