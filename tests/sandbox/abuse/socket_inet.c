/* Talk to somebody: AF_INET.
   expect: violation socket AF_INET
*/
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void)
{
    return socket(AF_INET, SOCK_STREAM, 0);
}
