/* The baseline of benchmarks/referee.py: bare round trips over pipes between two C processes.
 *
 *   pingpong bot           answers every line at once
 *   pingpong ping COUNT    starts itself as a bot and prints the nanoseconds of COUNT round trips
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int bot(void)
{
    char line[4096];
    while (read(0, line, sizeof line) > 0)
        if (write(1, "d9\n", 3) != 3)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    static const char question[] = "take w d5 n ct e ha s d9 c8 s3 hq c4\n"; /* as long as a usual one */
    int down[2], up[2];
    char answer[64];
    struct timespec begin, end;
    long count = argc > 2 ? atol(argv[2]) : 0;

    if (argc > 1 && strcmp(argv[1], "bot") == 0)
        return bot();
    if (pipe(down) || pipe(up))
        return 1;
    if (fork() == 0) {
        dup2(down[0], 0);
        dup2(up[1], 1);
        close(down[1]);
        close(up[0]);
        execl(argv[0], argv[0], "bot", (char *)0);
        return 1;
    }
    close(down[0]);
    close(up[1]);
    if (write(down[1], question, sizeof question - 1) < 0 || read(up[0], answer, sizeof answer) < 0)
        return 1; /* it runs */
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long i = 0; i < count; i++)
        if (write(down[1], question, sizeof question - 1) < 0 || read(up[0], answer, sizeof answer) <= 0)
            return 1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%lld\n", (end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec);
    return 0;
}
