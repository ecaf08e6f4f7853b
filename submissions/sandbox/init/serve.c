/* The main loop of process 1: the worker's requests, the bot's streams, its limits. */
#include "jail.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char message[MESSAGE_MAX];

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
        return; /* its descriptors stay open */
    case START:
    case RUN:
        start(message, (size_t)size);
        break;
    case KILL:
        if (bot.pid)
            finish(KILLED);
        break; /* otherwise it has already ended and the record is on its way */
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

/* Returns 1 if the bot was ended because of a flood. Standard error beyond its limit is discarded. */
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

/* Returns 1 if the bot was ended because of its limit. Otherwise sets when to look again. RLIMIT_CPU is only a fallback:
 * the kernel compares it with a count of ticks, which is off by half on a busy machine. */
static int spent(uint64_t t)
{
    uint64_t spent = cpu_used() - bot.cpu_before;
    if (spent >= bot.cpu_most) {
        finish(CPU);
        return 1;
    }
    bot.cpu_due = t + (bot.cpu_most - spent) / (unsigned)bot.cores + 50000;
    return 0;
}

/* The same for what it has written. Checking takes at most a twentieth of the time. */
static int flooded(uint64_t t)
{
    enum { OFTEN = 20000000 };
    if (overflowing()) {
        finish(OUTPUT);
        return 1;
    }
    uint64_t took = now() - t;
    bot.scratch_due = t + took + (20 * took > OFTEN ? 20 * took : OFTEN);
    return 0;
}

static int swollen(uint64_t t)
{
    if (!oversized(t))
        return 0;
    finish(MEMORY);
    return 1;
}

void serve(void)
{
    for (;;) {
        uint64_t t = now(), due = bot.cpu_due < bot.deadline ? bot.cpu_due : bot.deadline;
        int early = t < bot.streams_due; /* most bots end within this time, with a single wake-up */
        int resting = t < bot.listening_due;
        struct pollfd wait[6] = {{.fd = SOCKET, .events = POLLIN},
                                 {.fd = resting ? -1 : listener, .events = POLLIN},
                                 {.fd = bot.pidfd, .events = POLLIN},
                                 {.fd = bot.question_left ? bot.in : -1, .events = POLLOUT},
                                 {.fd = early ? -1 : bot.out, .events = POLLIN},
                                 {.fd = early ? -1 : bot.err, .events = POLLIN}};
        struct timespec left, *timeout = NULL;
        if (bot.scratch_due < due)
            due = bot.scratch_due;
        if (bot.memory_due < due)
            due = bot.memory_due;
        if (early && bot.streams_due < due)
            due = bot.streams_due;
        if (resting && bot.listening_due < due)
            due = bot.listening_due;
        if (bot.pid && due != NEVER) {
            uint64_t rest = t < due ? due - t : 0;
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
        } else { /* ended streams would wake us forever */
            if (wait[4].revents)
                close_fd(&bot.out);
            if (wait[5].revents)
                close_fd(&bot.err);
        }
        if (wait[2].revents)
            finish(scratch_limit && overflowing() ? OUTPUT : 0);
        else if (due != NEVER) {
            t = now();
            if ((t >= bot.memory_due && swollen(t)) || (t >= bot.cpu_due && spent(t)) ||
                (t >= bot.scratch_due && flooded(t)))
                continue;
            if (t >= bot.deadline)
                finish(WALL);
        }
    }
}
