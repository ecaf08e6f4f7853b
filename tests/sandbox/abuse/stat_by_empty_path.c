/* Look files of the host up by the call that is meant for open files, with a name nevertheless.
   expect: exit 0
   prints: nothing, and our own output
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static const char *const names[] = {"/etc/passwd", "/root", "../../../../../../etc/hostname", "/proc/1/status"};
    char room[512];
    int found = 0;
    for (int n = 0; n < 4; n++) {
        found += syscall(SYS_newfstatat, AT_FDCWD, names[n], room, AT_EMPTY_PATH) == 0;
        found += syscall(SYS_newfstatat, 1, names[n], room, AT_EMPTY_PATH) == 0;
        found += syscall(SYS_statx, AT_FDCWD, names[n], AT_EMPTY_PATH, STATX_ALL, room) == 0;
    }
    int ours = syscall(SYS_newfstatat, 1, "", room, AT_EMPTY_PATH) == 0 && S_ISFIFO(((struct stat *)room)->st_mode);
    printf("%s, and %s\n", found ? "SOMETHING" : "nothing", ours ? "our own output" : "NOT EVEN OUR OUTPUT");
    return 0;
}
