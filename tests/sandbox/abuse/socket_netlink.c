/* Talk to somebody: AF_NETLINK.
   expect: violation socket AF_NETLINK
*/
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void)
{
    return socket(AF_NETLINK, SOCK_RAW, 0);
}
