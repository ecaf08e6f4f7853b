/* Talk to somebody: AF_INET6.
   expect: violation socket AF_INET6
*/
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void)
{
    return socket(AF_INET6, SOCK_STREAM, 0);
}
