/* Process 1 of a jail, and the two small helpers that the jail needs beside it. Linked statically, no configuration.
 *
 * Theory of operation
 *
 *   init launch UID GID PROGRAM ARGS...   host side: become an unprivileged user, then exec bubblewrap
 *   init                                  inside: process 1. Descriptor 3 is one SEQPACKET socket to the worker
 *   init confined BOX (r|w PATH)...       the same without namespaces: Landlock opens these paths and nothing else
 *   init store NAME SIZE...               inside, as a bot: files of a build, from standard input
 *   init emit FILE                        inside, as a bot: write a regular file to standard output (the built program)
 *   init hello | init cheat               inside, as a bot: what the probe runs
 *
 * The worker sends SETUP once (seccomp filter, what to do about notified calls, cgroups to join), then START or RUN any
 * number of times, one bot at a time. START hands over the bot's three pipe ends and keeps no copy of them; RUN makes
 * pipes of its own, writes the question and relays the answer. When the bot ends, by itself or because of KILL, a limit
 * or a forbidden system call, everything else in the jail is killed and reaped *before* the one flat record is sent.
 *
 * The filter is installed once, here, and inherited: starting a bot costs no filter. That puts process 1 under its own
 * filter, so every call it makes after SETUP must pass it (submissions/sandbox/policy.py keeps those open):
 *   - a bot is started with clone(VM|VFORK|PIDFD), flags that the policy knows as ours;
 *   - its program is exec'd by descriptor 900, which a bot cannot have (RLIMIT_NOFILE is far below and it is CLOEXEC);
 *   - paths are read with process_vm_readv through an iovec at SCRATCH, an address that no ordinary program uses. A bot
 *     that copies this trick gains nothing: process 1 is not dumpable.
 *
 * Process 1 ignores every signal of its own jail (the kernel drops what it has no handler for, KILL and STOP included).
 * When the worker goes, the socket ends, process 1 exits, and the kernel kills everything inside.
 *
 * Confined, it is no process 1 but does the same: it adopts what the bot leaves behind (it is their subreaper), finds
 * them in its list of children, and kills them one by one. The bot sees the host's processes and may be of the worker's
 * own user, so it may signal none but itself. Ours and theirs are told apart by a secret in an argument of `clone` and
 * `kill` that the kernel does not look at: a wrong guess ends the bot.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x1000
#endif

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#else
#error "which processor is this?"
#endif

enum { SOCKET = 3, PROGRAM = 900, MAX_FDS = 16, MAX_CGROUPS = 4, MAX_STRINGS = 256 };
enum { PATH_SIZE = 4096, STREAM_MAX = 64 * 1024, MESSAGE_MAX = 256 * 1024 };
#define SCRATCH ((void *)0x4b6962697000UL)
#define NEVER UINT64_MAX

/* ---- what goes over the socket; jail.py has the same structures ---------------------------------------------- */

enum { SETUP = 1, START, RUN, KILL };                   /* worker to jail */
enum { READY = 1, HELLO, STARTED, ENDED, FAILED };      /* jail to worker */
enum { EXITED = 1, SIGNALLED, VIOLATION, KILLED, WALL, OUTPUT, CPU };

struct setup {
    uint32_t op, instructions, calls, rules_size, cgroups;
    uint32_t program;                                   /* length of its path, 0: exec by path */
    uint32_t secret;
    uint32_t port;                                      /* of the listening socket on our loopback; 0: none */
    /* then: struct sock_filter[instructions], struct call[calls], rules, path of the program */
};
struct call { uint16_t number; uint8_t path, flags; };  /* which argument is a path, which are open flags; 255: none */
/* rules: KIND PATH NUL, first match counts; a PATH that ends in / matches everything below it.
   r: may be read   s: answered "no such file"   e: answered "not permitted"   u: gets /dev/urandom   n: gets /dev/null */

struct limits { uint64_t data, space, stack, file, cpu, processes, files; };
struct start {
    uint32_t op, arguments, environment, question;
    uint64_t wall_ns, output, errors;                   /* RUN only */
    uint64_t cpu_ns;                                    /* of the bot's first process with all its threads */
    struct limits limits;
    /* then: arguments and environment, each NUL-terminated, and for RUN the question */
};
struct record {
    uint32_t op, status;
    int32_t code, signal;
    uint64_t cpu_ns, wall_ns, peak;
    uint32_t call, arch;
    uint64_t argument;                                  /* the first argument of the forbidden call */
    uint32_t path, output, errors, spare;               /* lengths of what follows */
};

/* ---- state: one jail, at most one bot ------------------------------------------------------------------------ */

static int listener = -1, null_fd = -1, urandom_fd = -1;
static const char *box = "/box";                        /* where that is in the file system */
static int confined, children_fd = -1;
static uint32_t secret;
static int cgroup_fds[MAX_CGROUPS], cgroups, cores = 1;
static struct call calls[512];
static unsigned call_count;
static char *rules;
static unsigned rules_size;
static char message[MESSAGE_MAX];
static char reply[sizeof(struct record) + PATH_SIZE + 2 * STREAM_MAX];
static char child_stack[64 * 1024] __attribute__((aligned(64)));

static struct {
    pid_t pid;
    int pidfd, in, out, err, relayed;
    const char *question;
    size_t question_left, output_limit, errors_limit, output, errors;
    uint64_t began, deadline;                           /* by the wall clock */
    uint64_t cpu_most, cpu_due;                         /* its limit, and when it can have reached it at the earliest */
    int cores;                                          /* that it can use at once */
    struct record end;
    char path[PATH_SIZE];
} bot = {.pidfd = -1, .in = -1, .out = -1, .err = -1, .deadline = NEVER, .cpu_due = NEVER};

static char output[STREAM_MAX + 1], errors[STREAM_MAX + 1];

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The bot's own clock, all its threads. RLIMIT_CPU is only behind it as a second line: the kernel holds that against a
 * count of ticks, which on a machine with much to do is wrong by half. */
static uint64_t used(pid_t pid)
{
    struct timespec t;
    if (clock_gettime((clockid_t)(~(unsigned)pid << 3 | 2), &t))
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* One step of the end: whoever is there. Confined, those who are our children by now; the rest becomes it. */
static void kill_everybody(void)
{
    static char list[64 * 1024];
    if (!confined) {
        kill(-1, SIGKILL);
        return;
    }
    ssize_t size = pread(children_fd, list, sizeof list - 1, 0);
    list[size > 0 ? size : 0] = 0;
    for (char *at = list, *end; *at; at = end) {
        long pid = strtol(at, &end, 10);
        if (end == at)
            break;
        if (pid > 0)
            syscall(SYS_kill, pid, SIGKILL, 0, 0, 0, (long)secret);
    }
}

/* The worker is gone. */
static void leave(void)
{
    if (confined)
        do
            kill_everybody();
        while (wait4(-1, NULL, __WALL, NULL) > 0 || errno == EINTR);
    _exit(0);
}

static void say(const void *data, size_t size)
{
    if (send(SOCKET, data, size, MSG_NOSIGNAL) < 0 && errno != EAGAIN)
        leave();
}

/* Our own failure: never a bot's. */
static void fail(const char *what, int error)
{
    char text[256];
    uint32_t op = FAILED;
    memcpy(text, &op, 4);
    int size = snprintf(text + 4, sizeof text - 4, "%s: %s", what, strerror(error));
    say(text, 4 + (size_t)size);
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* ---- SETUP ---------------------------------------------------------------------------------------------------- */

static int install_filter(struct sock_filter *filter, unsigned instructions, int notify)
{
    struct sock_fprog program = {.len = (unsigned short)instructions, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return -1;
    long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, notify ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0, &program);
    if (fd < 0)
        return -1;
    listener = notify ? (int)fd : -1;
    return 0;
}

/* A listening socket at 127.0.0.1, which in a network namespace of our own nobody but the bot can reach. */
static int listen_at(unsigned port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && (bind(fd, (struct sockaddr *)&place, sizeof place) || listen(fd, 8)))
        close_fd(&fd);
    return fd;
}

static void ready(int fd)
{
    uint32_t op = READY;
    union { struct cmsghdr head; char room[CMSG_SPACE(sizeof fd)]; } control;
    struct iovec part = {&op, sizeof op};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd < 0) {
        say(&op, sizeof op);
        return;
    }
    memset(&control, 0, sizeof control);
    header.msg_control = control.room, header.msg_controllen = sizeof control.room;
    control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    if (sendmsg(SOCKET, &header, MSG_NOSIGNAL) < 0)
        leave();
    close(fd);
}

static void set_up(char *data, size_t size, int *fds, int fd_count)
{
    struct setup setup;
    memcpy(&setup, data, sizeof setup);
    size_t filter_size = setup.instructions * sizeof(struct sock_filter), call_size = setup.calls * sizeof(struct call);
    if (size != sizeof setup + filter_size + call_size + setup.rules_size + setup.program ||
        setup.calls > sizeof calls / sizeof *calls || fd_count != 2 + (int)setup.cgroups || setup.cgroups > MAX_CGROUPS)
        return fail("the set-up message", EINVAL);
    char *at = data + sizeof setup;
    struct sock_filter *filter = malloc(filter_size);
    rules = malloc(setup.rules_size + 1);
    if (!filter || !rules)
        return fail("memory of process 1", ENOMEM);
    memcpy(filter, at, filter_size);
    memcpy(calls, at += filter_size, call_size);
    memcpy(rules, at += call_size, setup.rules_size);
    call_count = setup.calls;
    secret = setup.secret;
    rules_size = setup.rules_size;
    at += setup.rules_size;
    null_fd = fds[0];
    urandom_fd = fds[1];
    for (cgroups = 0; cgroups < (int)setup.cgroups; cgroups++)
        cgroup_fds[cgroups] = fds[2 + cgroups];
    if (setup.program) {
        char path[PATH_SIZE];
        if (setup.program >= sizeof path)
            return fail("path of the program", ENAMETOOLONG);
        memcpy(path, at, setup.program);
        path[setup.program] = 0;
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0 || dup3(fd, PROGRAM, O_CLOEXEC) < 0)
            return fail(path, errno);
        close(fd);
    }
    if (mmap(SCRATCH, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        return fail("scratch page", errno);
    int listening = setup.port ? listen_at(setup.port) : -1;
    if (setup.port && listening < 0)
        return fail("listening", errno);
    if (setup.instructions && install_filter(filter, setup.instructions, setup.calls > 0))
        return fail("seccomp filter", errno);
    free(filter);
    ready(listening);
}

/* ---- starting a bot ------------------------------------------------------------------------------------------- */

static struct {
    const char *failed;
    int error;
} *outcome; /* shared with the child */

static struct {
    int in, out, err;
    char *arguments[MAX_STRINGS + 1], *environment[MAX_STRINGS + 1];
    struct limits limits;
    int by_path, quiet; /* quiet: the worker waits for nothing but the end */
} birth;

static int limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit now, value = {soft, hard};
    if (soft == NEVER)
        return 0;
    if (getrlimit(resource, &now) == 0) { /* a hard limit that is lower already stays */
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

/* Runs in the child, which may share our memory until it execs: it touches nothing but `outcome`. */
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
        execve(birth.arguments[0], birth.arguments, birth.environment);
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
    outcome->error = 0;
    bot.began = now();
    bot.cpu_due = bot.cpu_most == NEVER ? NEVER : bot.began + bot.cpu_most / (unsigned)bot.cores;
    if (!confined)
        bot.pid = clone(born, child_stack + sizeof child_stack, CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, NULL,
                        &bot.pidfd);
    else if (!(bot.pid = (pid_t)syscall(SYS_clone, CLONE_VFORK | CLONE_PIDFD | SIGCHLD, 0, &bot.pidfd, 0, 0,
                                        (long)secret)))
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

static void start(char *data, size_t size, int *fds, int fd_count)
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
        bot.deadline = NEVER;
        return give_birth(); /* the caller closes the three descriptors */
    }
    int in[2], out[2], err[2];
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
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
    bot.deadline = start.wall_ns == NEVER ? NEVER : bot.began + start.wall_ns;
    close(in[0]), close(out[1]), close(err[1]);
    if (!bot.pid)
        close_fd(&bot.in), close_fd(&bot.out), close_fd(&bot.err);
}

/* ---- the end of a bot ------------------------------------------------------------------------------------------ */

static uint64_t cpu_of(const struct rusage *use)
{
    return ((uint64_t)use->ru_utime.tv_sec + (uint64_t)use->ru_stime.tv_sec) * 1000000000u +
           ((uint64_t)use->ru_utime.tv_usec + (uint64_t)use->ru_stime.tv_usec) * 1000u;
}

/* Whatever is still in the pipe when the bot is gone; more than the limit is a flood. */
static void drain(int fd, char *to, size_t *have, size_t most)
{
    ssize_t n;
    while (fd >= 0 && *have <= most && (n = read(fd, to + *have, most + 1 - *have)) > 0)
        *have += (size_t)n;
}

/* Kill and reap everything, then report. `status` is why, 0 when the bot ended by itself. */
static void finish(uint32_t status)
{
    struct record *end = &bot.end;
    struct rusage use;
    int wait_status = 0, main_status = 0;
    uint64_t took = now() - bot.began;
    kill_everybody();
    for (pid_t pid; (pid = wait4(-1, &wait_status, __WALL, &use)) > 0 || errno == EINTR;) {
        if (confined)
            kill_everybody();
        if (pid <= 0)
            continue;
        end->cpu_ns += cpu_of(&use);
        if ((uint64_t)use.ru_maxrss * 1024 > end->peak)
            end->peak = (uint64_t)use.ru_maxrss * 1024;
        if (pid == bot.pid)
            main_status = wait_status;
    }
    drain(bot.out, output, &bot.output, bot.output_limit);
    drain(bot.err, errors, &bot.errors, bot.errors_limit);
    if (!status && bot.relayed && bot.output > bot.output_limit)
        status = OUTPUT;
    end->op = ENDED;
    end->code = WIFEXITED(main_status) ? WEXITSTATUS(main_status) : 0;
    end->signal = WIFSIGNALED(main_status) ? WTERMSIG(main_status) : 0;
    if (status == KILLED && (WIFEXITED(main_status) || end->signal != SIGKILL))
        status = 0; /* it had ended by itself before our signal came */
    end->status = status ? status : end->signal ? SIGNALLED : EXITED;
    end->wall_ns = took;
    end->path = (uint32_t)strlen(bot.path);
    if (bot.relayed) {
        end->output = (uint32_t)(bot.output < bot.output_limit ? bot.output : bot.output_limit);
        end->errors = (uint32_t)(bot.errors < bot.errors_limit ? bot.errors : bot.errors_limit);
    }
    close_fd(&bot.pidfd), close_fd(&bot.in), close_fd(&bot.out), close_fd(&bot.err);
    bot.pid = 0;
    bot.deadline = bot.cpu_due = NEVER;
    char *at = reply;
    memcpy(at, end, sizeof *end), at += sizeof *end;
    memcpy(at, bot.path, end->path), at += end->path;
    memcpy(at, output, end->output), at += end->output;
    memcpy(at, errors, end->errors), at += end->errors;
    say(reply, (size_t)(at - reply));
}

/* ---- forbidden system calls ------------------------------------------------------------------------------------ */

/* Read a string of the bot page by page. Returns 0, or the errno that the call itself would have given. */
static int read_path(pid_t pid, uint64_t address, char *to)
{
    struct iovec *mine = SCRATCH, *theirs = mine + 1;
    for (size_t have = 0; have < PATH_SIZE;) {
        size_t piece = 4096 - (address + have) % 4096;
        if (piece > PATH_SIZE - have)
            piece = PATH_SIZE - have;
        *mine = (struct iovec){to + have, piece};
        *theirs = (struct iovec){(void *)(address + have), piece};
        if (process_vm_readv(pid, mine, 1, theirs, 1, 0) != (ssize_t)piece)
            return EFAULT;
        if (memchr(to + have, 0, piece))
            return 0;
        have += piece;
    }
    return ENAMETOOLONG;
}

/* "/box/../etc//passwd" to "/etc/passwd", relative to /box, which is what the box is called wherever it is. In place;
 * `raw` is a copy. */
static void absolute_path(char *path)
{
    char raw[PATH_SIZE + 8], *save, *part;
    size_t size = strlen(box);
    if (!strncmp(path, box, size) && (!path[size] || path[size] == '/'))
        snprintf(raw, sizeof raw, "/box%s", path + size);
    else
        snprintf(raw, sizeof raw, "%s%s", path[0] == '/' ? "" : "/box/", path);
    size = 0;
    int folder = raw[strlen(raw) - 1] == '/';
    for (part = strtok_r(raw, "/", &save); part; part = strtok_r(NULL, "/", &save)) {
        if (!strcmp(part, "."))
            continue;
        if (!strcmp(part, "..")) {
            while (size && path[--size] != '/')
                ;
            continue;
        }
        size_t length = strlen(part);
        if (size + length + 2 >= PATH_SIZE)
            break;
        path[size++] = '/';
        memcpy(path + size, part, length);
        size += length;
    }
    if (!size || folder)
        path[size++] = '/';
    path[size] = 0;
}

static char rule_for(const char *path)
{
    for (const char *rule = rules; rule < rules + rules_size; rule += strlen(rule) + 1) {
        size_t length = strlen(rule + 1);
        int below = rule[length] == '/';
        if (!strncmp(path, rule + 1, length) && (below || !path[length]))
            return rule[0];
        if (below && !strncmp(path, rule + 1, length - 1) && !path[length - 1])
            return rule[0]; /* the folder itself, without its slash */
    }
    return 0;
}

static void answer(uint64_t id, int error, int go_on)
{
    struct seccomp_notif_resp response = {.id = id, .error = -error};
    if (go_on)
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static void give_fd(uint64_t id, int fd)
{
    struct seccomp_notif_addfd add = {.id = id, .flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = (uint32_t)fd};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) < 0)
        answer(id, EMFILE, 0);
}

/* Confined, a bot may signal itself and nobody else. */
static int for_itself(const struct seccomp_data *call)
{
    pid_t target = (pid_t)call->args[0];
    return confined && call->arch == NATIVE &&
           (((call->nr == SYS_kill || call->nr == SYS_tgkill) && target == bot.pid) ||
            (call->nr == SYS_kill && target == 0));
}

/* Returns 1 when the call is a violation; otherwise it has been answered. */
static int judge(struct seccomp_notif *note, char *path)
{
    const struct call *call = NULL;
    if (for_itself(&note->data) || (note->data.nr == SYS_tkill && note->data.args[0] == note->pid)) {
        answer(note->id, 0, 1);
        return 0;
    }
    for (unsigned i = 0; i < call_count && !call; i++)
        if (calls[i].number == (uint16_t)note->data.nr)
            call = &calls[i];
    if (!call || call->path > 5 || call->number != (unsigned)note->data.nr || note->data.arch != NATIVE)
        return 1; /* no path, or not even a native call */
    int error = read_path((pid_t)note->pid, note->data.args[call->path], path);
    if (error) {
        path[0] = 0;
        answer(note->id, error, 0);
        return 0;
    }
    absolute_path(path);
    if (call->flags > 5)
        return 1;
    uint64_t flags = note->data.args[call->flags];
    int reads = (flags & O_ACCMODE) == O_RDONLY && !(flags & (O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY)));
    switch (rule_for(path)) {
    case 'r':
        if (!reads)
            return 1;
        answer(note->id, 0, 1); /* containment never depends on this: the jail is read-only and holds no secret */
        return 0;
    case 's':
        if (!reads)
            return 1;
        answer(note->id, ENOENT, 0);
        return 0;
    case 'e':
        answer(note->id, EACCES, 0);
        return 0;
    case 'u':
        give_fd(note->id, urandom_fd);
        return 0;
    case 'n':
        give_fd(note->id, null_fd);
        return 0;
    }
    return 1;
}

static void notified(void)
{
    struct seccomp_notif note;
    memset(&note, 0, sizeof note);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &note) < 0)
        return; /* the caller died in between */
    bot.path[0] = 0;
    if (!judge(&note, bot.path)) {
        bot.path[0] = 0;
        return;
    }
    bot.end.call = (uint32_t)note.data.nr;
    bot.end.arch = note.data.arch;
    bot.end.argument = note.data.args[0];
    finish(VIOLATION);
}

/* ---- process 1 -------------------------------------------------------------------------------------------------- */

static void received(void)
{
    int fds[MAX_FDS], count = 0;
    char control[CMSG_SPACE(sizeof fds)];
    struct iovec part = {message, sizeof message};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t size = recvmsg(SOCKET, &header, MSG_CMSG_CLOEXEC);
    if (size <= 0)
        leave(); /* the worker closed the jail, or died */
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&header); c; c = CMSG_NXTHDR(&header, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
            count = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
            memcpy(fds, CMSG_DATA(c), (size_t)count * sizeof(int));
        }
    uint32_t op = 0;
    memcpy(&op, message, size < 4 ? (size_t)size : 4);
    switch (op) {
    case SETUP:
        set_up(message, (size_t)size, fds, count);
        return; /* its descriptors stay */
    case START:
    case RUN:
        start(message, (size_t)size, fds, count);
        break;
    case KILL:
        if (bot.pid)
            finish(KILLED);
        break; /* else it has ended already and the record is on its way */
    }
    for (int i = 0; i < count; i++)
        close(fds[i]);
}

static void feed(void)
{
    ssize_t n = write(bot.in, bot.question, bot.question_left);
    if (n > 0)
        bot.question += n, bot.question_left -= (size_t)n;
    if (!bot.question_left || (n < 0 && errno != EAGAIN))
        close_fd(&bot.in);
}

/* Returns 1 when the bot was finished because of a flood. Beyond its limit standard error is thrown away. */
static int relay(void)
{
    static char waste[4096];
    ssize_t n = 1;
    if (bot.out >= 0 && (n = read(bot.out, output + bot.output, bot.output_limit + 1 - bot.output)) > 0) {
        if ((bot.output += (size_t)n) > bot.output_limit) {
            finish(OUTPUT);
            return 1;
        }
    }
    int over = bot.errors >= bot.errors_limit;
    if (bot.err >= 0) {
        n = over ? read(bot.err, waste, sizeof waste) : read(bot.err, errors + bot.errors, bot.errors_limit - bot.errors);
        if (n > 0 && !over)
            bot.errors += (size_t)n;
    }
    return 0;
}

/* Returns 1 when the bot was finished because of its limit; otherwise says when to look again. */
static int spent(uint64_t t)
{
    uint64_t spent = used(bot.pid);
    if (spent >= bot.cpu_most) {
        finish(CPU);
        return 1;
    }
    bot.cpu_due = t + (bot.cpu_most - spent) / (unsigned)bot.cores + 50000;
    return 0;
}

static void serve(void)
{
    for (;;) {
        struct pollfd wait[6] = {{.fd = SOCKET, .events = POLLIN},
                                 {.fd = listener, .events = POLLIN},
                                 {.fd = bot.pidfd, .events = POLLIN},
                                 {.fd = bot.question_left ? bot.in : -1, .events = POLLOUT},
                                 {.fd = bot.out, .events = POLLIN},
                                 {.fd = bot.err, .events = POLLIN}};
        struct timespec left, *timeout = NULL;
        uint64_t due = bot.cpu_due < bot.deadline ? bot.cpu_due : bot.deadline;
        if (bot.pid && due != NEVER) {
            uint64_t t = now(), rest = t < due ? due - t : 0;
            left = (struct timespec){(time_t)(rest / 1000000000u), (long)(rest % 1000000000u)};
            timeout = &left;
        }
        int ready = ppoll(wait, 6, timeout, NULL);
        if (ready < 0 && errno != EINTR)
            _exit(1);
        if (wait[0].revents) {
            received();
            if (bot.in >= 0)
                feed();
            continue;
        }
        if (wait[1].revents & POLLIN) {
            if (bot.pid)
                notified();
            continue;
        }
        if (!bot.pid)
            continue;
        if (wait[3].revents)
            feed();
        if ((wait[4].revents | wait[5].revents) & POLLIN) {
            if (relay())
                continue;
        } else { /* ended streams would wake us for ever */
            if (wait[4].revents)
                close_fd(&bot.out);
            if (wait[5].revents)
                close_fd(&bot.err);
        }
        if (wait[2].revents)
            finish(0);
        else if (due != NEVER) {
            uint64_t t = now();
            if (t >= bot.cpu_due && spent(t))
                continue;
            if (t >= bot.deadline)
                finish(WALL);
        }
    }
}

/* ---- the helpers ------------------------------------------------------------------------------------------------ */

static int launch(int count, char **arguments)
{
    if (count < 3)
        return 2;
    long uid = atol(arguments[0]), gid = atol(arguments[1]);
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); /* when the machine is short, bots go first */
    if (fd >= 0 && write(fd, "500", 3) < 0)
        (void)0;
    if (uid && (setgroups(0, NULL) || setresgid((gid_t)gid, (gid_t)gid, (gid_t)gid) ||
                setresuid((uid_t)uid, (uid_t)uid, (uid_t)uid))) {
        fprintf(stderr, "cannot become user %ld: %s\n", uid, strerror(errno));
        return 1;
    }
    if (geteuid() == 0) {
        fprintf(stderr, "refusing to run bots as the host's root\n");
        return 1;
    }
    syscall(SYS_close_range, SOCKET + 1, ~0u, 0);
    execv(arguments[2], arguments + 2);
    fprintf(stderr, "%s: %s\n", arguments[2], strerror(errno));
    return 1;
}

static int emit(const char *path)
{
    static char block[1 << 16];
    struct stat about;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) || !S_ISREG(about.st_mode))
        return 1;
    for (ssize_t n; (n = read(fd, block, sizeof block)) != 0;) {
        if (n < 0)
            return 1;
        for (ssize_t done = 0, w; done < n; done += w)
            if ((w = write(1, block + done, (size_t)(n - done))) < 0)
                return 1;
    }
    return 0;
}

/* The files of a build, from standard input into the working folder: store NAME SIZE NAME SIZE ... */
static int store(char **arguments)
{
    static char block[1 << 16];
    for (; arguments[0] && arguments[1]; arguments += 2) {
        int fd = open(arguments[0], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (fd < 0)
            return 1;
        for (long left = atol(arguments[1]), n; left > 0; left -= n)
            if ((n = read(0, block, left < (long)sizeof block ? (size_t)left : sizeof block)) <= 0 ||
                write(fd, block, (size_t)n) != n)
                return 1;
        close(fd);
    }
    return 0;
}

/* Short slices: a limit that runs out is enforced at once even when the bots keep every processor busy. Bots do not
 * inherit it. A wish to the scheduler (Linux 6.12), which needs no privilege; elsewhere nothing happens. */
static void be_prompt(void)
{
    enum { RESET_ON_FORK = 1 };
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; }
        wish = {.size = sizeof wish, .flags = RESET_ON_FORK, .runtime = 100000};
    syscall(SYS_sched_setattr, 0, &wish, 0);
}

/* ---- without namespaces ------------------------------------------------------------------------------------------ */

enum { RIGHTS_READ = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR };
enum { FILE_RIGHTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15 }; /* execute, write, read, truncate, ioctl */

static int open_path(int ruleset, uint64_t handled, const char *kind, const char *path)
{
    struct stat about;
    struct landlock_path_beneath_attr rule = {.parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0 || fstat(rule.parent_fd, &about))
        return -1;
    rule.allowed_access = *kind == 'w' ? handled : RIGHTS_READ;
    if (!S_ISDIR(about.st_mode))
        rule.allowed_access &= FILE_RIGHTS;
    int failed = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
    return failed;
}

/* Landlock for ourselves, and so for every bot. Later versions know more to forbid. Returns what failed. */
static const char *lock_land(char **rules)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    struct { uint64_t files, network, scopes; } handled = {.files = (1 << 13) - 1};
    size_t size = sizeof handled.files;
    if (version < 1)
        return "Landlock";
    if (version >= 2)
        handled.files |= 1 << 13;
    if (version >= 3)
        handled.files |= 1 << 14;
    if (version >= 4)
        handled.network = 3, size += sizeof handled.network;
    if (version >= 5)
        handled.files |= 1 << 15;
    if (version >= 6)
        handled.scopes = 3, size += sizeof handled.scopes; /* abstract Unix sockets, signals */
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0);
    if (ruleset < 0)
        return "Landlock's rules";
    for (; rules[0] && rules[1]; rules += 2)
        if (open_path(ruleset, handled.files, rules[0], rules[1]))
            return rules[1];
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_landlock_restrict_self, ruleset, 0))
        return "locking by Landlock";
    close(ruleset);
    return NULL;
}

static const char *confine(char **arguments)
{
    confined = 1;
    box = arguments[0];
    signal(SIGPIPE, SIG_IGN); /* number 1 of a namespace is spared that by the kernel */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
        return "adopting";
    children_fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (children_fd < 0)
        return "/proc/thread-self/children";
    if (chdir(box))
        return box;
    return lock_land(arguments + 1);
}

int main(int count, char **arguments)
{
    if (count > 1 && !strcmp(arguments[1], "launch"))
        return launch(count - 2, arguments + 2);
    if (count > 2 && !strcmp(arguments[1], "emit"))
        return emit(arguments[2]);
    if (count > 1 && !strcmp(arguments[1], "store"))
        return store(arguments + 2);
    if (count > 1 && !strcmp(arguments[1], "hello"))
        return printf("ok %ld %d\n", (long)getuid(), (int)getpid()) < 0;
    if (count > 1 && !strcmp(arguments[1], "cheat"))
        return open("/box/cheat.txt", O_WRONLY | O_CREAT, 0600) < 0;
    if (count > 2 && !strcmp(arguments[1], "confined")) {
        const char *failed = confine(arguments + 2);
        if (failed) {
            fprintf(stderr, "%s: %s\n", failed, strerror(errno));
            return 1;
        }
    }
    if ((getpid() != 1 && !confined) || fcntl(SOCKET, F_GETFD) < 0) {
        fprintf(stderr, "this is process 1 of a jail of Kibitz; it is of no use by itself\n");
        return 2;
    }
    outcome = mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (outcome == MAP_FAILED)
        return 1;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    fcntl(SOCKET, F_SETFD, FD_CLOEXEC);
    be_prompt();
    cpu_set_t allowed;
    if (!sched_getaffinity(0, sizeof allowed, &allowed))
        cores = CPU_COUNT(&allowed);
    serve();
}
