/* Talk to somebody: AF_PACKET.
   expect: violation socket AF_PACKET
*/
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void)
{
    return socket(AF_PACKET, SOCK_RAW, 0);
}
