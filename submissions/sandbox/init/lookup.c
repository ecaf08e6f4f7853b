/* What a program has open, and file names without namespaces. Landlock keeps a program from opening files that are not its own, but not from asking
 * whether they exist. So each of its look-ups comes here, and outside its own places nothing exists.
 *
 * The kernel never reads a name again that we have read: a thread of the program could change it in between. We look up the
 * name once, see where it has led, and answer for that very file. */
#include "jail.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MAX_PLACES = 64 };
enum { MORE_SIZE = 256, SYSTEM_SIZE = 120, SYNCED = 0x6000 }; /* as in the kernel: some C libraries lack these */
enum { MORE_MODE = 28, MORE_NUMBER = 32 };                     /* where these are in struct statx */
static char *places[MAX_PLACES];
static int place_count;

/* The same without the C library, whose call the filter would report to us. */
int open_ours(int folder, const char *path, int flags)
{
    return (int)syscall(SYS_openat, folder, path, flags, 0, (long)secret[1], (long)secret[0]);
}

static int read_link(const char *path, char *to)
{
    ssize_t size = syscall(SYS_readlinkat, AT_FDCWD, path, to, PATH_SIZE - 1, (long)secret[1], (long)secret[0]);
    if (size < 0)
        return -1;
    to[size] = 0;
    return 0;
}

/* Where a name leads according to the kernel. Not by the links of /proc/self, which would be ours. Returns the file
 * (O_PATH), or -1. */
static int leads_to(const char *path, uint64_t flags, char *to)
{
    char name[64];
    struct open_how how = {.flags = O_PATH | O_CLOEXEC | flags, .resolve = RESOLVE_NO_MAGICLINKS};
    int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how, (long)secret[1], (long)secret[0]);
    if (fd < 0)
        return -1;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (read_link(name, to))
        close_fd(&fd);
    return fd;
}

/* In the jail's root, which is the first visible place. */
int open_own(const char *name)
{
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s%s", places[0], name);
    return open_ours(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

/* The number of threads of that process, from the links to its task folder. -1 if it is gone. */
int threads_of(pid_t pid)
{
    char path[64];
    struct stat about;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    if (syscall(SYS_newfstatat, AT_FDCWD, path, &about, 0, (long)secret[1], (long)secret[0]))
        return -1;
    return (int)about.st_nlink - 2;
}

/* Whether that thread, by its number on the host, belongs to the process. */
int is_thread_of(pid_t pid, pid_t thread)
{
    char path[64];
    struct stat about;
    snprintf(path, sizeof path, "/proc/%d/task/%d", (int)pid, (int)thread);
    return !syscall(SYS_newfstatat, AT_FDCWD, path, &about, 0, (long)secret[1], (long)secret[0]);
}

/* Including the folders above it. */
int show(const char *path)
{
    char to[PATH_SIZE];
    int fd = leads_to(path, 0, to);
    if (fd < 0 || place_count == MAX_PLACES || !(places[place_count] = strdup(to)))
        return -1;
    place_count++;
    close(fd);
    return 0;
}

static int below(const char *path, const char *folder)
{
    size_t size = strlen(folder);
    return !strcmp(folder, "/") || (!strncmp(path, folder, size) && (!path[size] || path[size] == '/'));
}

static int within(const char *path)
{
    for (int i = 0; i < place_count; i++)
        if (below(path, places[i]))
            return 1;
    return 0;
}

static int shown(const char *path)
{
    for (int i = 0; i < place_count; i++)
        if (below(path, places[i]) || below(places[i], path))
            return 1;
    return 0;
}

/* Whether the folder of that name is one of its own: then it may know why the kernel finds nothing there. */
static int in_own_folder(char *path)
{
    static char to[PATH_SIZE];
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        path[--size] = 0;
    char *slash = strrchr(path, '/');
    slash[slash == path] = 0;
    int fd = leads_to(path, 0, to);
    if (fd >= 0)
        close(fd);
    return fd >= 0 && within(to);
}

/* The link in /proc to a folder, or another file, that the process has open. */
static void name_open(pid_t pid, int folder, char *link, size_t room)
{
    if (folder == AT_FDCWD)
        snprintf(link, room, "/proc/%d/cwd", (int)pid);
    else
        snprintf(link, room, "/proc/%d/fd/%d", (int)pid, folder);
}

/* Look up a name that a process gave to the kernel, relative to that folder descriptor. FLAGS: AT_EMPTY_PATH,
 * AT_SYMLINK_NOFOLLOW. Returns 0 and the file (O_PATH), the kernel's error, or OUTSIDE where it leads outside. */
int look_up(pid_t pid, int folder, const char *name, int flags, int *fd)
{
    static char path[2 * PATH_SIZE], base[PATH_SIZE], to[PATH_SIZE];
    char link[64];
    if (!confined) { /* the kernel itself looks up names */
        *fd = name[0] ? -1 : open_of_bot(folder);
        return *fd >= 0 ? 0 : name[0] ? ENOENT : errno;
    }
    name_open(pid, folder, link, sizeof link);
    if (!name[0] || !strcmp(name, "/proc/self/exe")) { /* its own program: the linker looks beside it */
        if (name[0])
            snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
        else if (!(flags & AT_EMPTY_PATH))
            return ENOENT;
        *fd = open_ours(AT_FDCWD, link, O_PATH | O_CLOEXEC);
        return *fd >= 0 ? 0 : errno == ENOENT ? EBADF : errno;
    }
    if (name[0] == '/')
        snprintf(path, sizeof path, "%s", name);
    else {
        if (read_link(link, base))
            return errno == ENOENT ? EBADF : EACCES;
        snprintf(path, sizeof path, "%s/%s", base, name);
    }
    *fd = leads_to(path, flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0, to);
    if (*fd >= 0) {
        if (shown(to))
            return 0;
        close_fd(fd);
        return OUTSIDE;
    }
    int error = errno, end = leads_to(path, O_NOFOLLOW, to);
    if (end >= 0) { /* a link that leads nowhere, and nobody may know why */
        close(end);
        return OUTSIDE;
    }
    return in_own_folder(path) ? error : OUTSIDE;
}

static int about_ours(int fd, struct stat *about)
{
    return (int)syscall(SYS_newfstatat, fd, "", about, AT_EMPTY_PATH, (long)secret[1], (long)secret[0]);
}

static int may(int fd, int mode)
{
    return syscall(SYS_faccessat2, fd, "", mode, AT_EMPTY_PATH, (long)secret[1], (long)secret[0]) ? errno : 0;
}

/* Open for reading what a look-up has found. */
int open_for(int fd, uint64_t flags, int *opened)
{
    char name[64], to[PATH_SIZE];
    struct stat about;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (about_ours(fd, &about) || read_link(name, to))
        return EACCES;
    if (S_ISLNK(about.st_mode))
        return ELOOP;
    if (!within(to) || !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)))
        return EACCES; /* a folder above its places has others in it */
    *opened = open_ours(AT_FDCWD, name, (int)(flags & (O_PATH | O_DIRECTORY | O_NOATIME | O_NONBLOCK)) | O_RDONLY | O_CLOEXEC);
    return *opened < 0 ? errno : 0;
}

/* Change the mode of what a look-up has found, if it is in the box. Landlock has no say in this. */
int change_mode(int fd, uint64_t mode)
{
    static char own[PATH_SIZE], to[PATH_SIZE];
    char name[64];
    int folder = leads_to(box, 0, own);
    if (folder < 0)
        return EPERM;
    close(folder);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (!scratch_limit || read_link(name, to) || !below(to, own))
        return EPERM;
    return syscall(SYS_fchmodat, AT_FDCWD, name, (long)(mode & 0777), 0, (long)secret[1], (long)secret[0]) ? errno : 0;
}

int read_from(pid_t pid, uint64_t address, void *to, size_t size)
{
    struct iovec *mine = scratch_page, *theirs = mine + 1;
    *mine = (struct iovec){to, size};
    *theirs = (struct iovec){(void *)address, size};
    return process_vm_readv(pid, mine, 1, theirs, 1, 0) == (ssize_t)size ? 0 : EFAULT;
}

int write_to(pid_t pid, uint64_t address, const void *answer, size_t size)
{
    struct iovec *mine = scratch_page, *theirs = mine + 1;
    *mine = (struct iovec){(void *)answer, size};
    *theirs = (struct iovec){(void *)address, size};
    return process_vm_writev(pid, mine, 1, theirs, 1, 0) == (ssize_t)size ? 0 : EFAULT;
}

int open_of_bot(int fd)
{
    return (int)syscall(SYS_pidfd_getfd, bot.pidfd, fd, 0, 0, (long)secret[1], (long)secret[0]);
}

/* The whole machine counts pipes and sockets, so their numbers would tell what other bots do. */
static int is_counted(unsigned mode)
{
    return S_ISFIFO(mode) || S_ISSOCK(mode);
}

/* Answer a call of the stat family. Attributes beyond the ordinary ones do not exist here. */
void answer_about(const struct seccomp_notif *note, const char *name)
{
    const uint64_t *given = (const uint64_t *)note->data.args;
    static _Alignas(8) char found[PATH_SIZE];
    pid_t pid = (pid_t)note->pid;
    int folder = AT_FDCWD, flags = 0, fd = -1, error;
    uint64_t to = given[1];
    int64_t value = 0;
    size_t size = 0;
    switch (note->data.nr) {
    case SYS_fstat: folder = (int)given[0], flags = AT_EMPTY_PATH; break;
    case SYS_newfstatat: folder = (int)given[0], to = given[2], flags = (int)given[3]; break;
    case SYS_statx: folder = (int)given[0], to = given[4], flags = (int)given[2]; break;
    case SYS_faccessat: folder = (int)given[0]; break;
    case SYS_faccessat2: folder = (int)given[0], flags = (int)given[3]; break;
    case SYS_readlinkat: folder = (int)given[0], to = given[2], flags = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH; break;
#ifdef SYS_lstat
    case SYS_lstat: flags = AT_SYMLINK_NOFOLLOW; break;
    case SYS_readlink: flags = AT_SYMLINK_NOFOLLOW; break;
#endif
    case SYS_lgetxattr: case SYS_llistxattr: flags = AT_SYMLINK_NOFOLLOW; break;
    }
    int plain = flags & ~(AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | AT_EACCESS | AT_NO_AUTOMOUNT | SYNCED);
    if (plain)
        return answer(note->id, EINVAL, 0);
    error = look_up(pid, folder, name, flags, &fd);
    if (!confined && (error == EPERM || error == ENOSYS))
        return answer(note->id, 0, 1); /* the container does not let us have it, so the bot sees the number */
    if (error)
        return answer(note->id, error == OUTSIDE ? ENOENT : error, 0);
    switch (note->data.nr) {
#ifdef SYS_lstat
    case SYS_stat: case SYS_lstat:
#endif
    case SYS_newfstatat: case SYS_fstat:
        size = sizeof(struct stat);
        error = about_ours(fd, (struct stat *)found) ? errno : 0;
        if (is_counted(((struct stat *)found)->st_mode))
            ((struct stat *)found)->st_ino = 1;
        break;
    case SYS_statx:
        size = MORE_SIZE;
        error = syscall(SYS_statx, fd, "", AT_EMPTY_PATH | (flags & SYNCED), (long)given[3], scratch_page,
                        (long)secret[0]) ? errno : 0;
        memcpy(found, scratch_page, MORE_SIZE);
        if (is_counted(*(uint16_t *)(found + MORE_MODE)))
            *(uint64_t *)(found + MORE_NUMBER) = 1;
        break;
    case SYS_statfs:
        size = SYSTEM_SIZE;
        error = syscall(SYS_fstatfs, fd, found, 0, 0, (long)secret[1], (long)secret[0]) ? errno : 0;
        break;
#ifdef SYS_lstat
    case SYS_access:
        error = may(fd, (int)given[1]);
        break;
#endif
    case SYS_faccessat: case SYS_faccessat2:
        error = may(fd, (int)given[2]);
        break;
#ifdef SYS_lstat
    case SYS_readlink:
#endif
    case SYS_readlinkat:
        value = syscall(SYS_readlinkat, fd, "", found, sizeof found, (long)secret[1], (long)secret[0]);
        if (name[0] && !strcmp(name, "/proc/self/exe")) { /* it has been followed */
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
            value = read_link(link, found) ? -1 : (int64_t)strlen(found);
        }
        error = value < 0 ? (errno == ENOENT ? EINVAL : errno) : 0;
        size = value < 0 ? 0 : (size_t)value;
        if (size > given[note->data.nr == SYS_readlinkat ? 3 : 2])
            value = (int64_t)(size = given[note->data.nr == SYS_readlinkat ? 3 : 2]);
        break;
    case SYS_listxattr: case SYS_llistxattr:
        break;
    default:
        error = ENODATA;
    }
    close(fd);
    if (!error && size)
        error = write_to(pid, to, found, size);
    if (error)
        answer(note->id, error, 0);
    else
        answer_value(note->id, value);
}
