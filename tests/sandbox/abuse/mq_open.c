/* A queue of messages for another bot, the POSIX way.
   expect: violation mq_open /box/notes
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <mqueue.h>

int main(void)
{
    return mq_open("/notes", O_RDWR | O_CREAT, 0666, NULL);
}
