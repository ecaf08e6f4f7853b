/* A pair of sockets, to pass descriptors with.
   expect: violation socketpair AF_UNIX
*/
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void)
{
    int ends[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}
