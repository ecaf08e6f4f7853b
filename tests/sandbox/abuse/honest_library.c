/* What honest programs do without thinking of the disk: no accusation.
   expect: exit 0
*/
#define _GNU_SOURCE
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

int main(void)
{
    char byte;
    time_t now = time(NULL);
    setlocale(LC_ALL, "");
    if (!localtime(&now) || sysconf(_SC_NPROCESSORS_ONLN) < 1 || access("/etc/passwd", F_OK) == 0)
        return 1;
    int fd = open("/dev/urandom", O_RDONLY);
    int nothing = open("/dev/null", O_WRONLY);
    return read(fd, &byte, 1) != 1 || write(nothing, &byte, 1) != 1;
}
