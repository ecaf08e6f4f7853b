/* Starting a bot: START and RUN. */
#include "jail.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROMPT = 20000000 }; /* nanoseconds; anything shorter would cost a timer per question */

#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x1000
#endif

static char child_stack[64 * 1024] __attribute__((aligned(64)));

static struct {
    const char *failed;
    int error;
} *outcome; /* shared with the child */

int prepare_births(void)
{
    outcome = mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return outcome == MAP_FAILED ? -1 : 0;
}

static struct {
    int in, out, err;
    char *arguments[MAX_STRINGS + 1], *environment[MAX_STRINGS + 1];
    struct limits limits;
    int by_path, quiet; /* quiet: the worker waits only for the end */
} birth;

static int limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit now, value = {soft, hard};
    if (soft == NEVER || setrlimit(resource, &value) == 0)
        return 0;
    if (getrlimit(resource, &now) == 0) { /* a lower hard limit stays */
        if (value.rlim_max > now.rlim_max)
            value.rlim_max = now.rlim_max;
        if (value.rlim_cur > value.rlim_max)
            value.rlim_cur = value.rlim_max;
    }
    return setrlimit(resource, &value);
}

#define MUST(what, expression)       \
    if ((expression) < 0) {          \
        outcome->failed = (what);       \
        outcome->error = errno;         \
        _exit(127);                  \
    }

/* Runs in the child, which may share our memory until it execs, so it writes only to `outcome`. */
static int born(void *unused)
{
    (void)unused;
    uint32_t op = HELLO; /* the kernel adds our process id as the worker sees it */
    const struct limits *l = &birth.limits;
    MUST("standard input", dup2(birth.in, 0));
    MUST("standard output", dup2(birth.out, 1));
    MUST("standard error", dup2(birth.err, 2));
    if (confined) {
        signal(SIGPIPE, SIG_DFL);
        MUST("session", setsid());
        MUST("PR_SET_PDEATHSIG", prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
    }
    if (!birth.quiet)
        MUST("hello", write(SOCKET, &op, sizeof op));
    for (int i = 0; i < cgroups; i++)
        MUST("cgroup", write(cgroup_fds[i], "0", 1));
    MUST("RLIMIT_CORE", limit(RLIMIT_CORE, 0, 0));
    MUST("RLIMIT_DATA", limit(RLIMIT_DATA, l->data, l->data));
    MUST("RLIMIT_AS", limit(RLIMIT_AS, l->space, l->space));
    MUST("RLIMIT_STACK", limit(RLIMIT_STACK, l->stack, l->stack));
    MUST("RLIMIT_FSIZE", limit(RLIMIT_FSIZE, l->file, l->file));
    MUST("RLIMIT_CPU", limit(RLIMIT_CPU, l->cpu, l->cpu == NEVER ? NEVER : l->cpu + 1));
    MUST("RLIMIT_NPROC", limit(RLIMIT_NPROC, l->processes, l->processes));
    MUST("RLIMIT_NOFILE", limit(RLIMIT_NOFILE, l->files, l->files));
    if (birth.by_path)
        syscall(SYS_execve, birth.arguments[0], birth.arguments, birth.environment, 0, (long)secret[1], (long)secret[0]);
    else
        syscall(SYS_execveat, PROGRAM, "", birth.arguments, birth.environment, AT_EMPTY_PATH);
    outcome->failed = birth.arguments[0];
    outcome->error = errno;
    _exit(127);
}

static char *take_strings(char **list, unsigned count, char *at, char *end)
{
    if (count > MAX_STRINGS)
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        char *zero = memchr(at, 0, (size_t)(end - at));
        if (!zero)
            return NULL;
        list[i] = at;
        at = zero + 1;
    }
    list[count] = NULL;
    return at;
}

static void give_birth(void)
{
    struct { uint32_t op; int32_t error; } started = {STARTED, 0};
    memset(&bot.end, 0, sizeof bot.end);
    bot.path[0] = 0;
    bot.output = bot.errors = 0;
    bot.notified = bot.numbered = 0;
    outcome->error = 0;
    bot.began = now();
    bot.scratch_due = scratch_limit ? bot.began : NEVER;
    bot.cpu_due = bot.cpu_most == NEVER ? NEVER : bot.began + bot.cpu_most / (unsigned)bot.cores;
    if (!confined)
        bot.pid = clone(born, child_stack + sizeof child_stack, CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, NULL,
                        &bot.pidfd);
    else if (!(bot.pid = (pid_t)syscall(SYS_clone, CLONE_VFORK | CLONE_PIDFD | SIGCHLD, 0, &bot.pidfd, 0, 0,
                                        (long)secret[0])))
        _exit(born(NULL));
    if (bot.pid < 0) {
        bot.pid = 0;
        return fail("starting a process", errno);
    }
    if (outcome->error) {
        int status;
        waitpid(bot.pid, &status, 0);
        close_fd(&bot.pidfd);
        bot.pid = 0;
        return fail(outcome->failed, outcome->error);
    }
    if (!birth.quiet)
        say(&started, sizeof started);
}

static int make_pipe(int *ends)
{
    return (int)syscall(SYS_pipe2, ends, O_CLOEXEC, 0, 0, (long)secret[1], (long)secret[0]);
}

void start(char *data, size_t size, int *fds, int fd_count)
{
    struct start start;
    if (size < sizeof start || bot.pid)
        return fail("the start message", bot.pid ? EBUSY : EINVAL);
    memcpy(&start, data, sizeof start);
    char *at = data + sizeof start, *end = data + size;
    birth.limits = start.limits;
    birth.by_path = fcntl(PROGRAM, F_GETFD) < 0;
    birth.quiet = start.op == RUN;
    bot.cpu_most = start.cpu_ns;
    bot.cores = start.limits.processes > (uint64_t)cores ? cores : start.limits.processes ? (int)start.limits.processes : 1;
    if (!(at = take_strings(birth.arguments, start.arguments, at, end)) || !start.arguments ||
        !(at = take_strings(birth.environment, start.environment, at, end)) || end - at != (long)start.question)
        return fail("the start message", EINVAL);
    if (start.op == START) {
        if (fd_count != 3)
            return fail("the pipes", EINVAL);
        birth.in = fds[0], birth.out = fds[1], birth.err = fds[2];
        bot.in = bot.out = bot.err = -1;
        bot.relayed = 0;
        bot.streams_due = 0;
        bot.deadline = NEVER;
        return give_birth(); /* the caller closes the three descriptors */
    }
    int in[2], out[2], err[2];
    if (make_pipe(in) || make_pipe(out) || make_pipe(err))
        return fail("pipes", errno);
    birth.in = in[0], birth.out = out[1], birth.err = err[1];
    bot.in = in[1], bot.out = out[0], bot.err = err[0];
    bot.relayed = 1;
    fcntl(bot.in, F_SETFL, O_NONBLOCK);
    fcntl(bot.out, F_SETFL, O_NONBLOCK);
    fcntl(bot.err, F_SETFL, O_NONBLOCK);
    bot.question = at;
    bot.question_left = start.question;
    bot.output_limit = start.output < STREAM_MAX ? start.output : STREAM_MAX;
    bot.errors_limit = start.errors < STREAM_MAX ? start.errors : STREAM_MAX;
    give_birth();
    bot.streams_due = bot.began + PROMPT;
    bot.deadline = start.wall_ns == NEVER ? NEVER : bot.began + start.wall_ns;
    close(in[0]), close(out[1]), close(err[1]);
    if (!bot.pid)
        close_fd(&bot.in), close_fd(&bot.out), close_fd(&bot.err);
}
