/* The state of the one jail, and its messages to the worker. */
#include "jail.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int listener = -1, null_fd = -1, urandom_fd = -1;
const char *box = "/box";
int confined, children_fd = -1;
uint32_t secret[2];
void *scratch_page;
int several, streams_fd = -1, clock_fd = -1, proc_fd = -1;
uint64_t memory_limit = NEVER;
unsigned ports[MAX_PORTS];
int most_threads;
int cgroup_fds[MAX_CGROUPS], cgroups, cores = 1;
struct call calls[512];
unsigned call_count;
char rules[RULES_MAX];
unsigned rules_size;
char output[STREAM_MAX + 1], errors[STREAM_MAX + 1];
struct bot bot = {.pidfd = -1, .in = -1, .out = -1, .err = -1, .deadline = NEVER, .cpu_due = NEVER,
                  .scratch_due = NEVER, .memory_due = NEVER};

uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void say(const void *data, size_t size)
{
    if (send(SOCKET, data, size, MSG_NOSIGNAL) < 0 && errno != EAGAIN)
        leave();
}

void hand_over(const void *data, size_t size, int *fds, int count)
{
    union { struct cmsghdr head; char room[CMSG_SPACE(MAX_FDS * sizeof(int))]; } control = {0};
    size_t taken = (size_t)count * sizeof *fds;
    struct iovec part = {(void *)data, size};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(taken), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), fds, taken);
    if (count)
        header.msg_control = control.room, header.msg_controllen = CMSG_SPACE(taken);
    if (syscall(SYS_sendmsg, SOCKET, &header, MSG_NOSIGNAL, 0, (long)secret[1], (long)secret[0]) < 0)
        leave();
    while (count)
        close(fds[--count]);
}

void fail(const char *what, int error)
{
    char text[256];
    uint32_t op = FAILED;
    memcpy(text, &op, 4);
    snprintf(text + 4, sizeof text - 4, "%s: %s", what, strerror(error));
    say(text, 4 + strlen(text + 4));
}

void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}
