/* Stop and kill whoever started us, by every signal.
   expect: exit 0
   landlock: violation kill
   prints: still watched
*/
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    kill(1, SIGSTOP);
    kill(1, SIGKILL);
    kill(getppid(), SIGTERM);
    kill(-1, SIGKILL);
    for (int number = 1; number < 65; number++)
        kill(1, number);
    puts("still watched");
    return 0;
}
