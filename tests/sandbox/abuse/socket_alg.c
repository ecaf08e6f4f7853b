/* The kernel's ciphers, a large piece of it to attack.
   expect: violation socket AF_ALG
*/
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void)
{
    return socket(AF_ALG, SOCK_SEQPACKET, 0);
}
