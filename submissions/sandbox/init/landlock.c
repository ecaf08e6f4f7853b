/* The walls without namespaces. */
#include "jail.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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

static int open_port(int ruleset, unsigned number)
{
    struct { uint64_t allowed, port; } rule = {1 << 1, number}; /* connecting to it; some headers lack the network rights */
    return (int)syscall(SYS_landlock_add_rule, ruleset, 2, &rule, 0);
}

static int ruleset = -1;

int lock_land(void)
{
    return (int)syscall(SYS_landlock_restrict_self, ruleset, 0, 0, 0, (long)secret[1], (long)secret[0]);
}

/* Landlock for every bot: each gets a domain of its own, so it can neither trace us nor (version 6) signal us. Later
 * versions can forbid more. Returns what failed. */
static const char *make_rules(char **paths)
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
    ruleset = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0);
    if (ruleset < 0)
        return "Landlock's rules";
    for (; paths[0] && paths[1]; paths += 2)
        if (open_path(ruleset, handled.files, paths[0], paths[1]) || show(paths[1]))
            return paths[1];
    if (server_fd >= 0 && handled.network && open_port(ruleset, server_port()))
        return "Landlock's rule for the network";
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? "no new privileges" : NULL;
}

/* Give up the privileges that the worker's user, and so we, may have been given. */
static int drop_capabilities(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) || syscall(SYS_capset, &head, none) ? -1 : 0;
}

/* BOX, the limit for its contents, whether a server runs on the loopback, the most threads, then the paths. */
const char *confine(int count, char **arguments)
{
    if (count < 4)
        return "arguments";
    confined = 1;
    box = arguments[0];
    scratch_limit = strtoull(arguments[1], NULL, 10);
    most_threads = atoi(arguments[3]);
    if (arguments[2][0] == '1' && (server_fd = serve_loopback(0)) < 0)
        return "listening";
    if (drop_capabilities())
        return "capabilities";
    signal(SIGPIPE, SIG_IGN); /* the kernel does this only for number 1 of a namespace */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
        return "adopting";
    children_fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (children_fd < 0)
        return "/proc/thread-self/children";
    if (chdir(box))
        return box;
    return make_rules(arguments + 4);
}
