/* File names without namespaces. Landlock keeps a program from opening files that are not its own, but not from asking
 * whether they exist. So each of its look-ups comes here first, and outside its own places nothing exists.
 *
 * A program with several threads can change a name after we have read it. It can then learn whether the host has a file of
 * that name, how large and how old it is, but never its contents. */
#include "jail.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_PLACES = 64 };
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

/* Where a name leads according to the kernel. Not by the links of /proc/self, which would be ours. Returns 0 or -1. */
static int leads_to(const char *path, uint64_t flags, char *to)
{
    char name[64];
    struct open_how how = {.flags = O_PATH | O_CLOEXEC | flags, .resolve = RESOLVE_NO_MAGICLINKS};
    int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how, (long)secret[1], (long)secret[0]);
    if (fd < 0)
        return -1;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    int failed = read_link(name, to);
    close(fd);
    return failed;
}

/* In the jail's root, which is the first visible place. */
int open_hosts(void)
{
    char path[PATH_SIZE + 16];
    snprintf(path, sizeof path, "%s/etc/hosts", places[0]);
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
    if (place_count == MAX_PLACES || leads_to(path, 0, to) || !(places[place_count] = strdup(to)))
        return -1;
    place_count++;
    return 0;
}

static int below(const char *path, const char *folder)
{
    size_t size = strlen(folder);
    return !strcmp(folder, "/") || (!strncmp(path, folder, size) && (!path[size] || path[size] == '/'));
}

static int shown(const char *path)
{
    for (int i = 0; i < place_count; i++)
        if (below(path, places[i]) || below(places[i], path))
            return 1;
    return 0;
}

/* Judge a name that a process gave to the kernel, relative to that folder descriptor. Returns the answer to the call: 0 if
 * it may go on. */
int look_up(pid_t pid, int folder, const char *name)
{
    static char path[2 * PATH_SIZE], base[PATH_SIZE], to[PATH_SIZE];
    char link[64];
    if (!name[0] || !strcmp(name, "/proc/self/exe"))
        return 0; /* already open, or an error; its own program, because the linker looks beside it */
    if (name[0] == '/')
        snprintf(path, sizeof path, "%s", name);
    else {
        if (folder == AT_FDCWD)
            snprintf(link, sizeof link, "/proc/%d/cwd", (int)pid);
        else
            snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)pid, folder);
        if (read_link(link, base))
            return errno == ENOENT ? EBADF : EACCES;
        snprintf(path, sizeof path, "%s/%s", base, name);
    }
    if (!leads_to(path, O_NOFOLLOW, to)) {
        if (!shown(to) && (leads_to(path, 0, to) || !shown(to)))
            return ENOENT;
        return 0;
    }
    tidy(path); /* it does not exist: the kernel says so in its own places, we elsewhere */
    return shown(path) ? 0 : ENOENT;
}
