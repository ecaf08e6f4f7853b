/* Talk to somebody: AF_UNIX.
   expect: violation socket AF_UNIX
*/
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void)
{
    return socket(AF_UNIX, SOCK_STREAM, 0);
}
