/* Starting a bot: START and RUN. */
#include "jail.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROMPT = 20000000 }; /* nanoseconds; anything shorter would cost a timer per question */
enum { TIMERS = 1024 };     /* with the signals that wait: memory of the kernel */

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

int prepare_streams(void)
{
    streams_fd = open("/streams", O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; streams_fd >= 0 && i < FIRST_PIPE + MOST_NUMBERED; i++)
        if (mkfifoat(streams_fd, (char[]){(char)('a' + i), 0}, 0600))
            return -1;
    return streams_fd < 0 ? -1 : 0;
}

static struct {
    int in, out, err;
    char *arguments[MAX_STRINGS + 1], *environment[MAX_STRINGS + 1];
    struct limits limits;
    int by_path, quiet; /* quiet: the worker waits only for the end */
} birth;

static int set_limit(int resource, const struct rlimit *value)
{
    return (int)syscall(SYS_prlimit64, 0, resource, value, NULL, (long)secret[1], (long)secret[0]);
}

static int limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit now, value = {soft, hard};
    if (soft == NEVER || set_limit(resource, &value) == 0)
        return 0;
    if (getrlimit(resource, &now) == 0) { /* a lower hard limit stays */
        if (value.rlim_max > now.rlim_max)
            value.rlim_max = now.rlim_max;
        if (value.rlim_cur > value.rlim_max)
            value.rlim_cur = value.rlim_max;
    }
    return set_limit(resource, &value);
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
    if (confined || several) /* where the kernel weighs sessions, many processes of a build do not hold us up */
        MUST("session", setsid());
    if (confined) {
        signal(SIGPIPE, SIG_DFL);
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
    MUST("RLIMIT_SIGPENDING", limit(RLIMIT_SIGPENDING, TIMERS, TIMERS));
    if (confined)
        MUST("Landlock", lock_land());
    if (birth.by_path)
        syscall(SYS_execve, birth.arguments[0], birth.arguments, birth.environment, 0, (long)secret[1], (long)secret[0]);
    else
        syscall(SYS_execveat, PROGRAM, "", birth.arguments, birth.environment, AT_EMPTY_PATH, (long)secret[0]);
    outcome->failed = birth.arguments[0];
    outcome->error = errno;
    _exit(127);
}

/* clone(VM | VFORK | PIDFD) with the secret in two arguments that the kernel ignores with these flags. The child runs on a
 * stack of its own and never returns. In assembler, because neither C library passes these arguments on. */
static long clone_ours(void)
{
    const unsigned long flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD;
    char *stack = child_stack + sizeof child_stack;
#if defined(__x86_64__)
    register unsigned long child_tid __asm__("r10") = 0, high __asm__("r8") = secret[1], low __asm__("r9") = secret[0];
    long pid = SYS_clone;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "xor %%edi, %%edi\n\t"
                     "call *%%rbx\n\t"
                     "hlt\n"
                     "1:"
                     : "+a"(pid)
                     : "b"(born), "D"(flags), "S"(stack), "d"(&bot.pidfd), "r"(child_tid), "r"(high), "r"(low)
                     : "rcx", "r11", "memory", "cc");
    return pid;
#else
    register unsigned long call __asm__("x8") = SYS_clone, first __asm__("x0") = flags;
    register void *to __asm__("x1") = stack, *pidfd __asm__("x2") = &bot.pidfd;
    register unsigned long tls __asm__("x3") = 0, high __asm__("x4") = secret[1], low __asm__("x5") = secret[0];
    register int (*child)(void *) __asm__("x19") = born;
    __asm__ volatile("svc #0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x29, xzr\n\t"
                     "mov x0, xzr\n\t"
                     "blr x19\n\t"
                     "brk #0\n"
                     "1:"
                     : "+r"(first)
                     : "r"(call), "r"(to), "r"(pidfd), "r"(tls), "r"(high), "r"(low), "r"(child)
                     : "memory", "cc", "x30");
    return (long)first;
#endif
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

static void give_birth(int *ours)
{
    struct { uint32_t op; int32_t error; } started = {STARTED, 0};
    memset(&bot.end, 0, sizeof bot.end);
    bot.path[0] = 0;
    bot.output = bot.errors = 0;
    bot.numbered = 0;
    bot.listening_due = 0;
    outcome->error = 0;
    bot.began = now();
    bot.scratch_due = scratch_limit ? bot.began : NEVER;
    bot.memory_due = memory_limit == NEVER ? NEVER : bot.began + SOON;
    bot.cpu_seen = bot.shared = 0;
    bot.cpu_before = clock_fd >= 0 ? cpu_used() : 0;
    bot.cpu_due = bot.cpu_most == NEVER ? NEVER : bot.began + bot.cpu_most / (unsigned)bot.cores;
    bot.pid = (pid_t)clone_ours();
    if (bot.pid < 0) {
        int error = -bot.pid;
        bot.pid = 0;
        return fail("starting a process", error);
    }
    if (outcome->error) {
        int status;
        waitpid(bot.pid, &status, 0);
        close_fd(&bot.pidfd);
        bot.pid = 0;
        return fail(outcome->failed, outcome->error);
    }
    if (!birth.quiet)
        hand_over(&started, sizeof started, ours, 3);
}

/* Both ends of a FIFO of the jail, with these flags (O_NONBLOCK or none). The whole machine counts its pipes, so the number of
 * one would tell the bot what others do. A FIFO in the jail's own file system has the same number for every question, and
 * forgets when the bot has used it before. */
int open_fifo(unsigned number, int *ends, int reading, int writing)
{
    static const struct timespec never[2];
    const char name[] = {(char)('a' + number), 0};
    ends[0] = open_ours(streams_fd, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ends[1] = ends[0] < 0 ? -1 : open_ours(streams_fd, name, O_WRONLY | writing | O_CLOEXEC);
    if (!reading)
        fcntl(ends[0], F_SETFL, 0);
    if (ends[1] >= 0 && !syscall(SYS_utimensat, ends[0], NULL, never, 0, (long)secret[1], (long)secret[0]))
        return 0;
    close_fd(&ends[0]), close_fd(&ends[1]);
    return -1;
}

/* Both ends of one of the bot's three streams; ours does not block. */
static int open_stream(int which, int *ends)
{
    if (streams_fd >= 0)
        return open_fifo((unsigned)which, ends, which ? O_NONBLOCK : 0, which ? 0 : O_NONBLOCK);
    if (syscall(SYS_pipe2, ends, O_CLOEXEC, 0, 0, (long)secret[1], (long)secret[0]))
        return -1;
    return fcntl(ends[which ? 0 : 1], F_SETFL, O_NONBLOCK);
}

void start(char *data, size_t size)
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
    int ends[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}, failed = 0;
    for (int i = 0; i < 3 && !failed; i++)
        failed = open_stream(i, ends[i]) ? errno : 0;
    int ours[3] = {ends[0][1], ends[1][0], ends[2][0]}, theirs[3] = {ends[0][0], ends[1][1], ends[2][1]};
    birth.in = theirs[0], birth.out = theirs[1], birth.err = theirs[2];
    bot.relayed = start.op == RUN;
    bot.in = bot.out = bot.err = -1;
    if (bot.relayed)
        bot.in = ours[0], bot.out = ours[1], bot.err = ours[2];
    bot.question = at;
    bot.question_left = start.question;
    bot.output_limit = start.output < STREAM_MAX ? start.output : STREAM_MAX;
    bot.errors_limit = start.errors < STREAM_MAX ? start.errors : STREAM_MAX;
    if (failed)
        fail("the bot's streams", failed);
    else
        give_birth(ours);
    bot.streams_due = bot.relayed ? bot.began + PROMPT : 0;
    bot.deadline = start.wall_ns == NEVER ? NEVER : bot.began + start.wall_ns;
    for (int i = 0; i < 3; i++) {
        close_fd(&theirs[i]);
        if (!bot.pid)
            close_fd(&ours[i]);
    }
    if (!bot.pid)
        bot.in = bot.out = bot.err = -1;
}
