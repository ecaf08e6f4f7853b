/* The baseline of the sandbox; benchmarks/sandbox.py builds and drives it.
 *
 *   sandbox spawn N BOT      N times: pipes, posix_spawn, one line in, the answer to its end, wait4
 *   sandbox rounds N BOT     one process, N round trips of one line
 *
 * Prints the nanoseconds of wall clock and of processor time (ours and our children's) of each.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char question[] = "play n d9 e d3 s dk w dj and so on 38\n";
extern char **environ;

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double cpu(void)
{
    double sum = 0;
    for (int who = 0; who < 2; who++) {
        struct rusage use;
        getrusage(who ? RUSAGE_CHILDREN : RUSAGE_SELF, &use);
        sum += (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e9 +
               (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e3;
    }
    return sum;
}

static pid_t launch(char *bot, int *in, int *out)
{
    int down[2], up[2];
    pid_t pid;
    char *arguments[] = {bot, NULL};
    posix_spawn_file_actions_t actions;
    if (pipe2(down, O_CLOEXEC) || pipe2(up, O_CLOEXEC))
        exit(1);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, down[0], 0);
    posix_spawn_file_actions_adddup2(&actions, up[1], 1);
    if (posix_spawn(&pid, bot, &actions, NULL, arguments, environ))
        exit(1);
    posix_spawn_file_actions_destroy(&actions);
    close(down[0]), close(up[1]);
    *in = down[1], *out = up[0];
    return pid;
}

int main(int count, char **arguments)
{
    if (count != 4)
        return 2;
    long times = atol(arguments[2]);
    char answer[256];
    int in, out, status, spawns = !strcmp(arguments[1], "spawn");
    pid_t pid = spawns ? 0 : launch(arguments[3], &in, &out);
    double began = now(CLOCK_MONOTONIC), used = cpu();
    for (long i = 0; i < times; i++) {
        if (spawns)
            pid = launch(arguments[3], &in, &out);
        if (write(in, question, sizeof question - 1) < 0 || read(out, answer, sizeof answer) <= 0)
            return 1;
        if (!spawns)
            continue;
        close(in);
        while (read(out, answer, sizeof answer) > 0)
            ;
        close(out);
        waitpid(pid, &status, 0);
    }
    printf("%.0f %.0f\n", (now(CLOCK_MONOTONIC) - began) / (double)times, (cpu() - used) / (double)times);
    return 0;
}
