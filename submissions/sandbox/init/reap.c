/* The end of a bot. Whatever the reason, nothing of it is left when the record is sent. */
#include "jail.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char reply[sizeof(struct record) + PATH_SIZE + 2 * STREAM_MAX];

/* Kill those who are there. Without namespaces, these are our present children; the others will become our children. */
void kill_everybody(void)
{
    static char list[64 * 1024];
    if (!confined) {
        syscall(SYS_kill, -1, SIGKILL, 0, 0, (long)secret[1], (long)secret[0]);
        return;
    }
    ssize_t size = pread(children_fd, list, sizeof list - 1, 0);
    list[size > 0 ? size : 0] = 0;
    for (char *at = list, *end; *at; at = end) {
        long pid = strtol(at, &end, 10);
        if (end == at)
            break;
        if (pid > 0)
            syscall(SYS_kill, pid, SIGKILL, 0, 0, (long)secret[1], (long)secret[0]);
    }
}

void leave(void)
{
    if (confined)
        do
            kill_everybody();
        while (wait4(-1, NULL, __WALL, NULL) > 0 || errno == EINTR);
    _exit(0);
}

static uint64_t cpu_of(const struct rusage *use)
{
    return ((uint64_t)use->ru_utime.tv_sec + (uint64_t)use->ru_stime.tv_sec) * 1000000000u +
           ((uint64_t)use->ru_utime.tv_usec + (uint64_t)use->ru_stime.tv_usec) * 1000u;
}

/* Read what is left in the pipe when the bot is gone. More than the limit is a flood. */
static void drain(int fd, char *to, size_t *have, size_t most)
{
    ssize_t n;
    while (fd >= 0 && *have <= most && (n = read(fd, to + *have, most + 1 - *have)) > 0)
        *have += (size_t)n;
}

/* Like wait4, but first kill all who are still there, including those whom the dead left behind. Usually there are none,
 * and then kill is not called, because the kernel would go through all processes of the host. */
static pid_t next_dead(int *status, struct rusage *use)
{
    pid_t pid = wait4(-1, status, __WALL | WNOHANG, use);
    if (pid)
        return pid;
    kill_everybody();
    return wait4(-1, status, __WALL, use);
}

/* `status` is the reason, 0 if the bot ended by itself. */
void finish(uint32_t status)
{
    struct record *end = &bot.end;
    struct rusage use;
    int wait_status = 0, main_status = 0;
    uint64_t took = now() - bot.began, took_cpu;
    if (confined) /* most of them at once, before they can start more */
        syscall(SYS_kill, -bot.pid, SIGKILL, 0, 0, (long)secret[1], (long)secret[0]);
    if (confined || status)
        kill_everybody();
    for (pid_t pid; (pid = next_dead(&wait_status, &use)) > 0 || errno == EINTR;) {
        if (pid <= 0)
            continue;
        end->cpu_ns += cpu_of(&use);
        if ((uint64_t)use.ru_maxrss * 1024 > end->peak)
            end->peak = (uint64_t)use.ru_maxrss * 1024;
        if (pid == bot.pid)
            main_status = wait_status;
    }
    if (clock_fd >= 0 && (took_cpu = cpu_used() - bot.cpu_before) > end->cpu_ns)
        end->cpu_ns = took_cpu; /* also of children that nobody waited for */
    drain(bot.out, output, &bot.output, bot.output_limit);
    drain(bot.err, errors, &bot.errors, bot.errors_limit);
    if (!status && bot.relayed && bot.output > bot.output_limit)
        status = OUTPUT;
    end->op = ENDED;
    end->code = WIFEXITED(main_status) ? WEXITSTATUS(main_status) : 0;
    end->signal = WIFSIGNALED(main_status) ? WTERMSIG(main_status) : 0;
    if (status == KILLED && (WIFEXITED(main_status) || end->signal != SIGKILL))
        status = 0; /* it ended by itself before our signal arrived */
    end->status = status ? status : end->signal ? SIGNALLED : EXITED;
    end->wall_ns = took;
    end->path = (uint32_t)strlen(bot.path);
    if (bot.relayed) {
        end->output = (uint32_t)(bot.output < bot.output_limit ? bot.output : bot.output_limit);
        end->errors = (uint32_t)(bot.errors < bot.errors_limit ? bot.errors : bot.errors_limit);
    }
    close_fd(&bot.pidfd), close_fd(&bot.in), close_fd(&bot.out), close_fd(&bot.err);
    bot.pid = 0;
    bot.deadline = bot.cpu_due = bot.scratch_due = bot.memory_due = NEVER;
    char *at = reply;
    memcpy(at, end, sizeof *end), at += sizeof *end;
    memcpy(at, bot.path, end->path), at += end->path;
    memcpy(at, output, end->output), at += end->output;
    memcpy(at, errors, end->errors), at += end->errors;
    say(reply, (size_t)(at - reply));
}
