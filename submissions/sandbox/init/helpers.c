/* Small programs: one before the jail, others that run as a bot in it. */
#include "jail.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Root permanently gives up privileges that a program with the right bits could regain. (bubblewrap does that itself, and
 * needs some of them first.) Other users have nothing to give up here. */
static int drop_bounds(void)
{
    for (int capability = 0; geteuid() == 0 && prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0))
            return -1;
    return 0;
}

/* Builds give way to matches, also where the disk is asked. The worker sees to sessions. */
static void give_way(int steps)
{
    if (nice(steps) > 0)
        syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 7); /* this process: best effort, the last of its levels */
}

int launch(int count, char **arguments)
{
    if (count < 5)
        return 2;
    long uid = atol(arguments[0]), gid = atol(arguments[1]);
    int network = atoi(arguments[3]);
    give_way(atoi(arguments[2]));
    if (network >= 0 && setns(network, CLONE_NEWNET)) /* then it gets a network of its own */
        for (char **it = arguments; *it; it++)
            if (!strcmp(*it, "--share-net"))
                *it = "--unshare-net";
    arguments += 2, count -= 2;
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); /* if memory runs out, bots are killed first */
    if (fd >= 0 && write(fd, "500", 3) < 0)
        (void)0;
    if (count > 3 && !strcmp(arguments[3], "confined") && drop_bounds()) {
        fprintf(stderr, "cannot give up capabilities: %s\n", strerror(errno));
        return 1;
    }
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

int emit(const char *path)
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

/* The folders of a relative path, unless they are there. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0755);
        *slash = '/';
    }
}

/* The files of a build, from standard input into the working folder: store PATH SIZE PATH SIZE ... */
int store(char **arguments)
{
    static char block[1 << 16];
    for (; arguments[0] && arguments[1]; arguments += 2) {
        make_folders(arguments[0]);
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
