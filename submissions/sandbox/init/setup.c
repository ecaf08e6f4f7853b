/* SETUP: sent once by the worker, before the first bot. */
#include "jail.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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

/* The sockets of the bot's server: one for each port, or without namespaces the one that all of them lead to. Returns their
 * number, or -1. */
static int listen_for_bot(int *fds)
{
    int count = 0;
    if (server_fd >= 0)
        fds[count++] = server_fd;
    else
        for (; count < MAX_PORTS && ports[count]; count++)
            if ((fds[count] = serve_loopback(ports[count])) < 0)
                return -1;
    server_fd = -1;
    return count;
}

void set_up(char *data, size_t size, int *fds, int fd_count)
{
    struct setup setup;
    uint32_t op = READY;
    memcpy(&setup, data, sizeof setup);
    size_t filter_size = setup.instructions * sizeof(struct sock_filter), call_size = setup.calls * sizeof(struct call);
    if (size != sizeof setup + filter_size + call_size + setup.rules_size + setup.program ||
        setup.calls > sizeof calls / sizeof *calls || setup.rules_size > sizeof rules || setup.cgroups > MAX_CGROUPS ||
        setup.clock > 1 || setup.proc > 1 || fd_count != (int)(2 + setup.cgroups + setup.clock + setup.proc))
        return fail("the set-up message", EINVAL);
    char *at = data + sizeof setup;
    struct sock_filter *filter = (struct sock_filter *)at; /* only the kernel reads it, wherever it begins */
    memcpy(calls, at += filter_size, call_size);
    memcpy(rules, at += call_size, setup.rules_size);
    call_count = setup.calls;
    memcpy(secret, setup.secret, sizeof secret);
    scratch_page = (void *)setup.scratch;
    memory_limit = setup.memory;
    several = setup.several != 0;
    for (int i = 0; i < MAX_PORTS; i++)
        ports[i] = setup.ports[i];
    rules_size = setup.rules_size;
    at += setup.rules_size;
    null_fd = fds[0];
    urandom_fd = fds[1];
    for (cgroups = 0; cgroups < (int)setup.cgroups; cgroups++)
        cgroup_fds[cgroups] = fds[2 + cgroups];
    if (setup.clock)
        clock_fd = fds[2 + cgroups];
    if (setup.proc)
        proc_fd = fds[fd_count - 1];
    if (setup.program) {
        char path[PATH_SIZE];
        if (setup.program >= sizeof path)
            return fail("path of the program", ENAMETOOLONG);
        memcpy(path, at, setup.program);
        path[setup.program] = 0;
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0 || dup3(fd, PROGRAM, O_CLOEXEC) < 0)
            return fail(path, errno);
        posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED); /* otherwise the bot is charged for loading it */
        close(fd);
    }
    if (mmap(scratch_page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        return fail("scratch page", errno);
    if (setup.program && !confined && prepare_streams())
        return fail("the bot's streams", errno);
    int servers[MAX_PORTS], serving = listen_for_bot(servers);
    if (serving < 0)
        return fail("listening", errno);
    if (setup.instructions && install_filter(filter, setup.instructions, setup.calls > 0))
        return fail("seccomp filter", errno);
    hand_over(&op, sizeof op, servers, serving);
}
