/* The baseline for a game of Intensity; benchmarks/intensity.py builds and drives it.
 *
 *   intensity BOT FILE...     for each file: pipes, posix_spawn, the file as its input, its answer to the end, wait4
 *
 * Prints the wall-clock nanoseconds of all of them together.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, SIZE = 1024 };

extern char **environ;
static char questions[MOST][SIZE];
static size_t sizes[MOST];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ask(char *bot, const char *question, size_t size)
{
    int down[2], up[2], status;
    pid_t pid;
    char answer[256], *arguments[] = {bot, NULL};
    ssize_t got, all = 0;
    posix_spawn_file_actions_t actions;
    if (pipe2(down, O_CLOEXEC) || pipe2(up, O_CLOEXEC))
        return 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, down[0], 0);
    posix_spawn_file_actions_adddup2(&actions, up[1], 1);
    if (posix_spawn(&pid, bot, &actions, NULL, arguments, environ))
        return 0;
    posix_spawn_file_actions_destroy(&actions);
    close(down[0]), close(up[1]);
    if (write(down[1], question, size) < 0)
        return 0;
    close(down[1]);
    while ((got = read(up[0], answer, sizeof answer)) > 0)
        all += got;
    close(up[0]);
    return waitpid(pid, &status, 0) == pid && all > 0;
}

int main(int count, char **arguments)
{
    int times = count - 2;
    if (times < 1 || times > MOST)
        return 2;
    for (int i = 0; i < times; i++) {
        int file = open(arguments[i + 2], O_RDONLY);
        ssize_t size = read(file, questions[i], SIZE);
        if (size <= 0)
            return 1;
        sizes[i] = (size_t)size;
        close(file);
    }
    double began = now();
    for (int i = 0; i < times; i++)
        if (!ask(arguments[1], questions[i], sizes[i]))
            return 1;
    printf("%.0f\n", now() - began);
    return 0;
}
