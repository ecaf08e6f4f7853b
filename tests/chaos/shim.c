/* Preloaded into the processes of a portal under test: steps of the clock, and a disk that is full or read-only.

   CHAOS_SHIM names a file of `struct shared` that the test changes while the processes run (shim.py). Clocks: what the
   C library tells of the time of day is moved, for everybody or for one process. Disk: writing below VAR_DIR fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { FULL = 1, READ_ONLY = 2, MOST = 32 };

struct shared {
    volatile int64_t everybody;  /* seconds */
    volatile int64_t disk;
    struct { volatile int64_t pid, seconds; } one[MOST];
};

static struct shared *it;
static char var[4096];
static size_t var_length;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CHAOS_SHIM"), *folder = getenv("VAR_DIR");
    int file = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
    if (file < 0) return;
    void *found = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (folder && (var_length = strlen(folder)) < sizeof var) strcpy(var, folder);
    else var_length = 0;
    if (found != MAP_FAILED) it = found;
}

/* The clock */

static int64_t moved(void) {
    if (!it) return 0;
    int64_t seconds = it->everybody;
    if (it->one[0].pid) {
        int64_t pid = syscall(SYS_getpid);
        for (int i = 0; i < MOST && it->one[i].pid; i++)
            if (it->one[i].pid == pid) seconds += it->one[i].seconds;
    }
    return seconds;
}

int clock_gettime(clockid_t id, struct timespec *when) {
    int result = syscall(SYS_clock_gettime, id, when);
    if (!result && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) when->tv_sec += moved();
    return result;
}

int gettimeofday(struct timeval *restrict when, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    when->tv_sec = now.tv_sec;
    when->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *when) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (when) *when = now.tv_sec;
    return now.tv_sec;
}

/* The disk */

static int below(const char *path) { return var_length && !strncmp(path, var, var_length); }

static int fails(int file) {
    char link[64], path[4096];
    if (!it || !it->disk) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    if (!below(path)) return 0;
    errno = it->disk == FULL ? ENOSPC : EROFS;
    return 1;
}

static int refused(const char *path) {
    if (!it || it->disk != READ_ONLY || !below(path)) return 0;
    errno = EROFS;
    return 1;
}

static int opened(int folder, const char *path, int flags, mode_t mode) {
    int writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT;
    if (writes && refused(path)) return -1;
    return syscall(SYS_openat, folder, path, flags, mode);
}

static mode_t mode_of(int flags, va_list rest) {
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

#define OPEN(name, large)                                  \
    int name(const char *path, int flags, ...) {           \
        va_list rest;                                      \
        va_start(rest, flags);                             \
        mode_t mode = mode_of(flags, rest);                \
        va_end(rest);                                      \
        return opened(AT_FDCWD, path, flags | large, mode); \
    }
#define OPENAT(name, large)                                \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest;                                      \
        va_start(rest, flags);                             \
        mode_t mode = mode_of(flags, rest);                \
        va_end(rest);                                      \
        return opened(folder, path, flags | large, mode);  \
    }
OPEN(open, 0)
OPEN(open64, O_LARGEFILE)
OPENAT(openat, 0)
OPENAT(openat64, O_LARGEFILE)

ssize_t write(int file, const void *data, size_t size) {
    return fails(file) ? -1 : syscall(SYS_write, file, data, size);
}
ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
    return fails(file) ? -1 : syscall(SYS_pwrite64, file, data, size, at);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
    return fails(file) ? -1 : syscall(SYS_pwrite64, file, data, size, at);
}
int ftruncate(int file, off_t size) { return fails(file) ? -1 : syscall(SYS_ftruncate, file, size); }
int ftruncate64(int file, off64_t size) { return fails(file) ? -1 : syscall(SYS_ftruncate, file, size); }
int mkdir(const char *path, mode_t mode) { return refused(path) ? -1 : syscall(SYS_mkdirat, AT_FDCWD, path, mode); }
int unlink(const char *path) { return refused(path) ? -1 : syscall(SYS_unlinkat, AT_FDCWD, path, 0); }
int rename(const char *from, const char *to) {
    return refused(from) ? -1 : syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
