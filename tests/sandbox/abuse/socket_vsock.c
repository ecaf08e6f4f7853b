/* Talk to somebody: AF_VSOCK.
   expect: violation socket AF_VSOCK
*/
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void)
{
    return socket(AF_VSOCK, SOCK_STREAM, 0);
}
