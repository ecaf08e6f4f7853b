/* Forbidden system calls, as the filter reports them to us. */
#include "jail.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <unistd.h>

/* Read a string of the bot page by page. Returns 0, or the errno that the call itself would have returned. */
static int read_path(pid_t pid, uint64_t address, char *to)
{
    struct iovec *mine = scratch_page, *theirs = mine + 1;
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

/* The address of a socket as text: "127.0.0.1:80", "[::1]:80". Empty for other families and unreadable addresses. */
static void read_address(pid_t pid, uint64_t address, uint64_t size, char *to)
{
    union { sa_family_t family; struct sockaddr_in v4; struct sockaddr_in6 v6; } found = {0};
    struct iovec *mine = scratch_page, *theirs = mine + 1;
    char text[INET6_ADDRSTRLEN];
    *mine = (struct iovec){&found, size < sizeof found ? size : sizeof found};
    *theirs = (struct iovec){(void *)address, mine->iov_len};
    to[0] = 0;
    if (process_vm_readv(pid, mine, 1, theirs, 1, 0) != (ssize_t)mine->iov_len)
        return;
    const uint8_t *bytes = found.v6.sin6_addr.s6_addr;
    if (found.family == AF_INET && inet_ntop(AF_INET, &found.v4.sin_addr, text, sizeof text))
        snprintf(to, PATH_SIZE, "%s:%u", text, ntohs(found.v4.sin_port));
    else if (found.family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&found.v6.sin6_addr) &&
             inet_ntop(AF_INET, bytes + 12, text, sizeof text))
        snprintf(to, PATH_SIZE, "%s:%u", text, ntohs(found.v6.sin6_port));
    else if (found.family == AF_INET6 && inet_ntop(AF_INET6, bytes, text, sizeof text))
        snprintf(to, PATH_SIZE, "[%s]:%u", text, ntohs(found.v6.sin6_port));
}

/* "/box/../etc//passwd" to "/etc/passwd". Relative paths start at /box, the name of the box wherever it is. In place. */
static void absolute_path(char *path)
{
    static char raw[PATH_SIZE + 8];
    size_t size = strlen(box);
    if (!strncmp(path, box, size) && (!path[size] || path[size] == '/'))
        snprintf(raw, sizeof raw, "/box%s", path + size);
    else
        snprintf(raw, sizeof raw, "%s%s", path[0] == '/' ? "" : "/box/", path);
    memcpy(path, raw, PATH_SIZE - 1);
    path[PATH_SIZE - 1] = 0;
    tidy(path);
}

/* In place, because it never gets longer. */
void tidy(char *path)
{
    char raw[2 * PATH_SIZE], *save, *part;
    size_t size = 0;
    snprintf(raw, sizeof raw, "%s", path);
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

/* Whether it is a file directly in one of the folders above the box. Runtimes look there for settings. If the box has its
 * own root there is only one such folder. */
static const char *above_box(const char *path)
{
    const char *name = strrchr(path, '/');
    size_t size = (size_t)(name - path);
    return !strncmp(path, box, size) && box[size] == '/' ? name : path;
}

/* The call has this result. */
void answer_value(uint64_t id, int64_t value)
{
    struct seccomp_notif_resp response = {.id = id, .val = value};
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

void answer(uint64_t id, int error, int go_on)
{
    struct seccomp_notif_resp response = {.id = id, .error = -error};
    if (go_on)
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static void give_fd_as(uint64_t id, int fd, uint32_t flags)
{
    struct seccomp_notif_addfd add = {.id = id, .flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = (uint32_t)fd,
                                      .newfd_flags = flags};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) < 0)
        answer(id, EMFILE, 0);
}

/* A description that all the jail's processes share: what one of them set must not be there for the next. */
static void give_fd(uint64_t id, int fd)
{
    fcntl(fd, F_SETFL, 0);
    give_fd_as(id, fd, 0);
}

/* A file of /etc as it is in the jail's root, not on the host. */
static void give_own(uint64_t id, const char *path)
{
    int fd = open_own(path);
    if (fd < 0)
        return answer(id, ENOENT, 0);
    give_fd(id, fd);
    close(fd);
}

/* Without namespaces, a bot may send signals only to itself. */
static int for_itself(const struct seccomp_data *call)
{
    pid_t target = (pid_t)call->args[0];
    return confined && call->arch == NATIVE &&
           (((call->nr == SYS_kill || call->nr == SYS_tgkill) && target == bot.pid) ||
            (call->nr == SYS_kill && target == 0));
}

/* Whether a call sends SIGKILL, now or when a timer ends. */
static int sends_kill(const struct seccomp_notif *note)
{
    struct { uint64_t value; int32_t signal, how; } event = {0};
    struct iovec *mine = scratch_page, *theirs = mine + 1;
    switch (note->data.nr) {
    case SYS_kill: case SYS_tkill:
        return (int)note->data.args[1] == SIGKILL;
    case SYS_tgkill:
        return (int)note->data.args[2] == SIGKILL;
    case SYS_timer_create:
        *mine = (struct iovec){&event, sizeof event};
        *theirs = (struct iovec){(void *)note->data.args[1], sizeof event};
        return note->data.args[1] && process_vm_readv((pid_t)note->pid, mine, 1, theirs, 1, 0) > 0 && event.signal == SIGKILL;
    }
    return 0;
}

static int folder_of(const struct seccomp_notif *note, const struct call *call)
{
    return call->path ? (int)note->data.args[call->path - 1] : AT_FDCWD;
}

/* Whether a call acts on what a link leads to, or on the link itself. */
static int follows(const struct seccomp_notif *note)
{
    switch (note->data.nr) {
#ifdef SYS_unlink
    case SYS_unlink: case SYS_rename: case SYS_rmdir: case SYS_mkdir: case SYS_link: case SYS_lchown: case SYS_mknod:
#endif
    case SYS_unlinkat: case SYS_renameat2: case SYS_mkdirat: case SYS_linkat: case SYS_symlinkat: case SYS_mknodat:
#ifdef SYS_renameat
    case SYS_renameat:
#endif
        return 0;
    case SYS_fchownat:
        return !(note->data.args[4] & AT_SYMLINK_NOFOLLOW);
    case SYS_utimensat:
        return !(note->data.args[3] & AT_SYMLINK_NOFOLLOW);
    }
    return 1;
}

/* For builds, whose writing, creating and starting of files the kernel itself must do. The kernel reads the name again: a
 * build with two threads that changes it in between learns whether a file of some name exists, and Landlock keeps it from
 * doing more. What Landlock does not forbid, we do ourselves with the file that we have found, or the filter refuses it.
 * Times of files are accepted without effect. */
static void answer_lookup(const struct seccomp_notif *note, const struct call *call, const char *path)
{
    uint64_t how = 0; /* to open it */
    int fd = -1, flags = follows(note) ? 0 : AT_SYMLINK_NOFOLLOW;
    switch (note->data.nr) {
#ifdef SYS_open
    case SYS_open:
#endif
    case SYS_openat:
        how = note->data.args[call->path + 1];
    }
    if (how & O_PATH && how & O_NOFOLLOW)
        flags = AT_SYMLINK_NOFOLLOW;
    int error = look_up((pid_t)note->pid, folder_of(note, call), path, flags, &fd), go_on = 0;
    switch (note->data.nr) {
#ifdef SYS_chmod
    case SYS_chmod:
#endif
    case SYS_fchmodat:
        error = error ? error : change_mode(fd, note->data.args[call->path + 1]);
        break;
    case SYS_utimensat:
        break;
    default:
        go_on = error != OUTSIDE;
    }
    if (how & O_PATH) { /* the kernel would tell the size and the age of any file */
        int opened = -1;
        error = error ? error : open_for(fd, how & ~(uint64_t)O_PATH, &opened); /* as it cannot hand over another kind */
        close_fd(&fd);
        if (!error) {
            give_fd_as(note->id, opened, how & O_CLOEXEC);
            close_fd(&opened);
            return;
        }
        go_on = 0;
    }
    answer(note->id, error == OUTSIDE ? ENOENT : go_on ? 0 : error, go_on);
    close_fd(&fd);
}

/* A bot gets what we have opened, so it does not matter what has become of the name. */
static void give_file(const struct seccomp_notif *note, const struct call *call, const char *path)
{
    uint64_t flags = note->data.args[call->flags];
    int fd = -1, opened = -1;
    int error = look_up((pid_t)note->pid, folder_of(note, call), path, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0, &fd);
    if (!error)
        error = open_for(fd, flags, &opened);
    if (error)
        answer(note->id, error == OUTSIDE ? ENOENT : error, 0);
    else
        give_fd_as(note->id, opened, flags & O_CLOEXEC);
    close_fd(&fd), close_fd(&opened);
}

enum { CLONE_NEW_SPACES = 0x7e020000 }; /* all of CLONE_NEW… */

enum { CLOCK_OF_A_FILE = 3, MOST_NUMBERED_IN_A_QUESTION = 4, MOST_SOCKETS = 64, MOST_PAIRS = 64 };

/* Whether the bot itself is meant: without namespaces, numbers of processes lead to everybody. */
static int is_own(pid_t pid)
{
    return !pid || pid == bot.pid || is_thread_of(bot.pid, pid);
}

/* A number of a clock holds that of a process or thread. */
static int is_own_clock(int clock)
{
    return clock >= 0 || ((clock & 7) != CLOCK_OF_A_FILE && is_own((pid_t)~(clock >> 3)));
}

/* A pipe has an inode number that the whole machine counts. Who may make many could tell others something by it. Node.js 20
   makes four when it starts, which no other runtime exceeds. */
static int counted(const struct seccomp_data *call)
{
    if (call->nr == SYS_timer_create && confined && !is_own_clock((int)call->args[0]))
        return EINVAL;
    if (bot.numbered >= (call->nr == SYS_socket ? MOST_SOCKETS : bot.relayed ? MOST_NUMBERED_IN_A_QUESTION : MOST_NUMBERED))
        return call->nr == SYS_timer_create ? EAGAIN : EMFILE;
    bot.numbered++;
    return 0;
}

static int asks_for_a_pipe(const struct seccomp_data *call)
{
#ifdef SYS_pipe
    if (call->nr == SYS_pipe)
        return 1;
#endif
    return call->nr == SYS_pipe2;
}

/* pipe(ENDS) or pipe2(ENDS, FLAGS) of the bot, which has been counted: it gets a FIFO. Returns the error that it gets. */
static int give_pipe(const struct seccomp_notif *note)
{
    uint32_t flags = note->data.nr == SYS_pipe2 ? (uint32_t)note->data.args[1] : 0;
    int ends[2], given[2] = {-1, -1};
    if (flags & ~(uint32_t)(O_CLOEXEC | O_NONBLOCK))
        return EINVAL;
    int how = (int)(flags & O_NONBLOCK);
    if (open_fifo(FIRST_PIPE + bot.numbered - 1, ends, how, how))
        return EMFILE;
    for (int i = 0; i < 2; i++) {
        struct seccomp_notif_addfd add = {.id = note->id, .srcfd = (uint32_t)ends[i], .newfd_flags = flags & O_CLOEXEC};
        given[i] = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
    }
    close(ends[0]), close(ends[1]);
    return given[0] < 0 || given[1] < 0 ? EMFILE : write_to((pid_t)note->pid, note->data.args[0], given, sizeof given);
}

/* Whether a TCP client may have that socket. In the host's network it must be for TCP. */
static int may_be_client(const struct seccomp_data *call)
{
    int type = (int)call->args[1] & ~(SOCK_NONBLOCK | SOCK_CLOEXEC), protocol = (int)call->args[2];
    return (int)call->args[0] == AF_INET &&
           (!confined || (type == SOCK_STREAM && (!protocol || protocol == IPPROTO_TCP)));
}

/* C libraries open sockets for UDP to sort addresses, without sending anything. In the host's network there are none. */
static int for_datagrams(const struct seccomp_data *call)
{
    int type = (int)call->args[1] & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    return confined && (int)call->args[0] == AF_INET && type == SOCK_DGRAM;
}

/* As on a machine that has just started and does nothing else. What runtimes need of it is the memory's size. */
static int tell_sysinfo(const struct seccomp_notif *note)
{
    struct sysinfo about = {.totalram = 1UL << 30, .freeram = 1UL << 29, .procs = 1, .mem_unit = 1};
    size_t size = offsetof(struct sysinfo, mem_unit) + sizeof(uint64_t); /* the kernel's: some C libraries add to it */
    return write_to((pid_t)note->pid, note->data.args[0], &about, size);
}

/* Returns 1 if the call is a violation. Otherwise it has been answered. */
static int judge(struct seccomp_notif *note, char *path)
{
    static char raw[PATH_SIZE];
    const struct call *call = NULL;
    if (note->data.arch == NATIVE && sends_kill(note)) {
        bot.end.own_hand = 1;
        if (!confined && note->data.nr != SYS_timer_create) { /* whoever it means is in the jail */
            answer(note->id, 0, 1);
            return 0;
        }
    }
    if (note->data.nr == SYS_exit_group && note->data.arch == NATIVE && memory_limit != NEVER) { /* a last look at what it holds */
        if (oversized(now()))
            finish(MEMORY);
        else
            answer(note->id, 0, 1);
        return 0;
    }
    if (for_itself(&note->data) || (note->data.nr == SYS_tkill && note->data.args[0] == note->pid)) {
        answer(note->id, 0, 1);
        return 0;
    }
    for (unsigned i = 0; i < call_count && !call; i++)
        if (calls[i].number == (uint16_t)note->data.nr)
            call = &calls[i];
    if (!call || call->number != (unsigned)note->data.nr || note->data.arch != NATIVE)
        return 1; /* no path, or no native call */
    if (call->path == PLACEHOLDER) {
        if (note->data.args[0] != AF_INET && note->data.args[0] != AF_INET6)
            return 1;
        give_fd(note->id, null_fd);
        return 0;
    }
    if (call->path == THREAD) {
        if (!(note->data.args[0] & CLONE_THREAD) || note->data.args[0] & CLONE_NEW_SPACES)
            return 1;
        int refused = !confined || threads_of(bot.pid) >= most_threads || note->data.args[0] & CLONE_PIDFD;
        bot.end.threads += (uint32_t)refused;
        answer(note->id, refused ? EAGAIN : 0, !refused);
        return 0;
    }
    if (call->path == SHARED) { /* it stays there when nobody maps it any longer, so it counts from now on */
        uint64_t size = note->data.args[1];
        int refused = size > memory_limit || bot.shared + size > memory_limit;
        bot.end.memory += (uint32_t)refused;
        bot.shared += refused ? 0 : size;
        answer(note->id, refused ? ENOMEM : 0, !refused);
        return 0;
    }
    if (call->path == OWN || call->path == CLOCK) {
        int own = call->path == OWN ? is_own((pid_t)note->data.args[call->flags])
                                    : is_own_clock((int)note->data.args[call->flags]);
        answer(note->id, own ? 0 : call->path == OWN ? ESRCH : EINVAL, own);
        return 0;
    }
    if (call->path == COUNTED) {
        if (note->data.nr == SYS_socket && for_datagrams(&note->data)) {
            answer(note->id, EAFNOSUPPORT, 0);
            return 0;
        }
        if (note->data.nr == SYS_socket && !may_be_client(&note->data))
            return 1;
        int error = counted(&note->data), gets_fifo = streams_fd >= 0 && asks_for_a_pipe(&note->data);
        if (!error && gets_fifo)
            error = give_pipe(note);
        answer(note->id, error, !error && !gets_fifo);
        return 0;
    }
    if (call->path == PAIRS) { /* their buffers belong to no process: half a megabyte each */
        int refused = bot.numbered >= MOST_PAIRS;
        bot.numbered += !refused;
        answer(note->id, refused ? EMFILE : 0, !refused);
        return 0;
    }
    if (call->path == SYSINFO) {
        answer(note->id, tell_sysinfo(note), 0);
        return 0;
    }
    if (call->path == MESSAGE) { /* by its only thread */
        struct { uint64_t name, name_size, parts, count, control, control_size; } head;
        if (confined && note->data.args[2] & MSG_FASTOPEN)
            return 1;
        int error = read_from((pid_t)note->pid, note->data.args[1], &head, sizeof head);
        if (!error && head.control_size)
            error = EPERM; /* descriptors on their way count for all programs of a user */
        answer(note->id, error, !error);
        return 0;
    }
    if (call->path == OWN_NAME) {
        answer(note->id, tell_own_name(note), 0);
        return 0;
    }
    if (call->path == CONNECT) {
        answer(note->id, connect_bot(note), 0);
        return 0;
    }
    if (call->path == BIND && binds_nothing(note)) {
        answer(note->id, 0, 0);
        return 0;
    }
    if (call->flags == ADDRESS || call->path == BIND) {
        int at = call->path == BIND ? 1 : call->path;
        read_address((pid_t)note->pid, note->data.args[at], note->data.args[at + 1], path);
        return 1;
    }
    if (call->path == OPENED || (call->flags == ABOUT && !note->data.args[call->path])) {
        answer_about(note, ""); /* newer kernels take no name for an empty one */
        return 0;
    }
    int error = read_path((pid_t)note->pid, note->data.args[call->path], path);
    if (error) {
        path[0] = 0;
        answer(note->id, error, 0);
        return 0;
    }
    if (call->flags == LOOKUP || call->flags == ABOUT) {
        if (call->flags == ABOUT)
            answer_about(note, path);
        else
            answer_lookup(note, call, path);
        path[0] = 0;
        return 0;
    }
    if (confined)
        snprintf(raw, sizeof raw, "%s", path);
    absolute_path(path);
    if (call->flags == NONE)
        return 1;
    uint64_t flags = note->data.args[call->flags];
    int reads = (flags & O_ACCMODE) == O_RDONLY && !(flags & (O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY)));
    char kind = rule_for(path);
    if (!kind && confined)
        kind = rule_for(above_box(path));
    switch (kind) {
    case 'r':
        if (!reads)
            return 1;
        if (confined)
            give_file(note, call, raw);
        else
            answer(note->id, 0, 1); /* containment never depends on this: the jail is read-only and holds no secret */
        return 0;
    case 'h':
        if (!reads)
            return 1;
        give_own(note->id, path);
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

/* Answering takes our time, and the core's, and others could feel that. Runtimes make a few thousand such calls when they
 * start. A bot that makes more has to wait for the answers, on its own clock. A build, which has a scratch folder, may do
 * anything: its compilers look up all they need. */
static void slow_down(void)
{
    enum { MOST = 10000, SECOND = 1000000000 };
    uint64_t least = now() - SECOND;
    if (!scratch_limit)
        bot.listening_due = (bot.listening_due > least ? bot.listening_due : least) + SECOND / MOST;
}

void notified(void)
{
    struct seccomp_notif note;
    memset(&note, 0, sizeof note);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &note) < 0)
        return; /* the caller died in between */
    bot.path[0] = 0;
    slow_down();
    if (!judge(&note, bot.path)) {
        bot.path[0] = 0;
        return;
    }
    bot.end.call = (uint32_t)note.data.nr;
    bot.end.arch = note.data.arch;
    bot.end.argument = note.data.args[0];
    finish(VIOLATION);
}
