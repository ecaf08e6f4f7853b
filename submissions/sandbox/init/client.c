/* TCP clients without a network namespace. The server listens on the host's loopback, at a port that happened to be free.
 * Process 1 connects the bot's own socket, so that it leads there and nowhere else, whichever of the server's ports it names. Other bots are connected to servers of
 * their own. Any other client is recognised by its user (landlock.py). */
#include "jail.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static struct sockaddr_in server;
int server_fd = -1;

/* A listening socket at 127.0.0.1, at any free port if PORT is 0. In a network namespace only the bot can reach it. Returns
 * the socket, or -1. */
int serve_loopback(unsigned port)
{
    socklen_t size = sizeof server;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    server = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (fd >= 0 && (bind(fd, (struct sockaddr *)&server, size) || listen(fd, 8) ||
                    getsockname(fd, (struct sockaddr *)&server, &size)))
        close_fd(&fd);
    return fd;
}

unsigned server_port(void)
{
    return ntohs(server.sin_port);
}

/* Without blocking: a bot that fills its server's queue must not delay us. Normally this takes microseconds. */
static int connect_ours(int fd)
{
    enum { PATIENCE_MS = 100 };
    struct pollfd wait = {.fd = fd, .events = POLLOUT};
    int flags = fcntl(fd, F_GETFL);
    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    int failed = (int)syscall(SYS_connect, fd, &server, sizeof server, 0, (long)secret[1], (long)secret[0]) ? errno : 0;
    fcntl(fd, F_SETFL, flags);
    if (failed == EINPROGRESS && !(flags & O_NONBLOCK))
        failed = poll(&wait, 1, PATIENCE_MS) == 1 && wait.revents == POLLOUT ? 0 : ECONNREFUSED;
    return failed;
}

/* If the container does not let us have the bot's socket, one of ours replaces it, without the options set by the bot. */
static int connect_another(const struct seccomp_notif *note)
{
    int one = 1;
    int fd = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0, 0, (long)secret[1], (long)secret[0]);
    struct seccomp_notif_addfd add = {.id = note->id, .flags = SECCOMP_ADDFD_FLAG_SETFD, .srcfd = (uint32_t)fd,
                                      .newfd = (uint32_t)note->data.args[0]};
    if (fd < 0)
        return errno;
    int failed = connect_ours(fd);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (!failed && ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) < 0)
        failed = EBADF;
    close(fd);
    return failed;
}

/* The address in connect(FD, ADDRESS, SIZE) or bind(FD, ADDRESS, SIZE) of the bot. Returns the error that the bot gets, or 0. */
static int read_wanted(const struct seccomp_notif *note, struct sockaddr_in *wanted)
{
    if (note->data.args[2] < sizeof *wanted)
        return EINVAL;
    if (read_from((pid_t)note->pid, note->data.args[1], wanted, sizeof *wanted))
        return EFAULT;
    return wanted->sin_family == AF_INET ? 0 : EAFNOSUPPORT;
}

static int is_ours(unsigned number)
{
    for (int i = 0; i < MAX_PORTS; i++)
        if (number && ports[i] == number)
            return 1;
    return 0;
}

/* Whether the bot binds a socket to any port of any address, as some libraries do before they connect. The kernel does that
 * anyway when the socket is connected, so such a call may succeed without being made. */
int binds_nothing(const struct seccomp_notif *note)
{
    struct sockaddr_in wanted = {.sin_family = AF_UNSPEC};
    if (read_wanted(note, &wanted) || wanted.sin_port)
        return 0;
    return wanted.sin_addr.s_addr == htonl(INADDR_ANY) || wanted.sin_addr.s_addr == htonl(INADDR_LOOPBACK);
}

/* connect(FD, ADDRESS, SIZE) of the bot. Returns the error that the bot gets, or 0 when it is connected. */
int connect_bot(const struct seccomp_notif *note)
{
    struct sockaddr_in wanted = {.sin_family = AF_UNSPEC};
    int error = read_wanted(note, &wanted);
    if (error)
        return error;
    if (ntohl(wanted.sin_addr.s_addr) >> 24 != IN_LOOPBACKNET)
        return ENETUNREACH; /* as if there were only a loopback */
    if (!is_ours(ntohs(wanted.sin_port)) || ntohl(wanted.sin_addr.s_addr) != INADDR_LOOPBACK)
        return ECONNREFUSED;
    int fd = open_of_bot((int)note->data.args[0]);
    if (fd < 0)
        return errno == EPERM || errno == ENOSYS ? connect_another(note) : errno;
    int failed = connect_ours(fd);
    close(fd);
    return failed;
}

/* getsockname(FD, ADDRESS, SIZE) of the bot. Its port is always the same one: the kernel chooses the next of one sequence for
 * the connections of all jails, whatever their network. */
int tell_own_name(const struct seccomp_notif *note)
{
    enum { PORT = 40000 };
    union { struct sockaddr all; struct sockaddr_in v4; char room[128]; } name = {
        .v4 = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof name.v4, room;
    int fd = open_of_bot((int)note->data.args[0]), error = fd < 0 ? errno : 0;
    if (fd >= 0) {
        size = sizeof name;
        error = syscall(SYS_getsockname, fd, &name, &size, 0, (long)secret[1], (long)secret[0]) ? errno : 0;
        close(fd);
    } else if (error == EPERM || error == ENOSYS)
        error = 0; /* the container does not let us have it, and all sockets are for TCP */
    if (!error && name.all.sa_family == AF_INET && name.v4.sin_port)
        name.v4.sin_port = htons(PORT);
    if (!error)
        error = read_from((pid_t)note->pid, note->data.args[2], &room, sizeof room);
    if (!error)
        error = write_to((pid_t)note->pid, note->data.args[1], &name, size < room ? size : room);
    return error ? error : write_to((pid_t)note->pid, note->data.args[2], &size, sizeof size);
}
