/* Process 1 of a jail, and the two small helpers that the jail needs beside it. Linked statically, no configuration.
 *
 * Theory of operation
 *
 *   init launch UID GID PROGRAM ARGS...   host side: become an unprivileged user, then exec bubblewrap
 *   init                                  inside: process 1. Descriptor 3 is one SEQPACKET socket to the worker
 *   init confined BOX SIZE 0|1 THREADS (r|w PATH)...  the same without namespaces: Landlock opens these paths and nothing
 *                                         else. SIZE: the most that may be in the box; 1: its bot is a TCP client
 *   init store NAME SIZE...               inside, as a bot: files of a build, from standard input
 *   init emit FILE                        inside, as a bot: write a regular file to standard output (the built program)
 *   init hello | init cheat               inside, as a bot: what the probe runs
 *
 * The worker sends SETUP once (seccomp filter, what to do about notified calls, cgroups to join), then START or RUN any
 * number of times, one bot at a time. START hands over the bot's three pipe ends and keeps no copy of them; RUN makes
 * pipes of its own, writes the question and relays the answer. When the bot ends, by itself or because of KILL, a limit
 * or a forbidden system call, everything else in the jail is killed and reaped *before* the one flat record is sent.
 *
 * The filter is installed once, here, and inherited: starting a bot costs no filter. That puts process 1 under its own
 * filter, so every call it makes after SETUP must pass it (submissions/sandbox/policy.py keeps those open):
 *   - a bot is started with clone(VM|VFORK|PIDFD), flags that the policy knows as ours;
 *   - its program is exec'd by descriptor 900, which a bot cannot have (RLIMIT_NOFILE is far below and it is CLOEXEC);
 *   - paths are read with process_vm_readv through an iovec at SCRATCH, an address that no ordinary program uses. A bot
 *     that copies this trick gains nothing: process 1 is not dumpable.
 *
 * Process 1 ignores every signal of its own jail (the kernel drops what it has no handler for, KILL and STOP included).
 * When the worker goes, the socket ends, process 1 exits, and the kernel kills everything inside.
 *
 * Confined, it is no process 1 but does the same: it adopts what the bot leaves behind (it is their subreaper), finds
 * them in its list of children, and kills them one by one. The bot sees the host's processes and may be of the worker's
 * own user, so it may signal none but itself. What it looks up is answered by where the name leads (lookup.c), its server
 * is on the host's loopback and connected from here (client.c), and what a build writes is measured (scratch.c). Ours and
 * theirs are told apart by a secret in arguments of `clone`, `kill`, `openat` and the like that the kernel does not look
 * at: a wrong guess ends the bot, or is judged as any other call.
 */
#include "jail.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Short slices: a limit that runs out is enforced at once even when the bots keep every processor busy. Bots do not
 * inherit it. A wish to the scheduler (Linux 6.12), which needs no privilege; elsewhere nothing happens. */
static void be_prompt(void)
{
    enum { RESET_ON_FORK = 1 };
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; }
        wish = {.size = sizeof wish, .flags = RESET_ON_FORK, .runtime = 100000};
    syscall(SYS_sched_setattr, 0, &wish, 0);
}

int main(int count, char **arguments)
{
    if (count > 1 && !strcmp(arguments[1], "launch"))
        return launch(count - 2, arguments + 2);
    if (count > 2 && !strcmp(arguments[1], "emit"))
        return emit(arguments[2]);
    if (count > 1 && !strcmp(arguments[1], "store"))
        return store(arguments + 2);
    if (count > 1 && !strcmp(arguments[1], "hello"))
        return printf("ok %ld %d\n", (long)getuid(), (int)getpid()) < 0;
    if (count > 1 && !strcmp(arguments[1], "cheat"))
        return open("/box/cheat.txt", O_WRONLY | O_CREAT, 0600) < 0;
    if (count > 1 && !strcmp(arguments[1], "confined")) {
        const char *failed = confine(count - 2, arguments + 2);
        if (failed) {
            fprintf(stderr, "%s: %s\n", failed, strerror(errno));
            return 1;
        }
    }
    if ((getpid() != 1 && !confined) || fcntl(SOCKET, F_GETFD) < 0) {
        fprintf(stderr, "this is process 1 of a jail of Kibitz; it is of no use by itself\n");
        return 2;
    }
    if (prepare_births())
        return 1;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    fcntl(SOCKET, F_SETFD, FD_CLOEXEC);
    be_prompt();
    cpu_set_t allowed;
    if (!sched_getaffinity(0, sizeof allowed, &allowed))
        cores = CPU_COUNT(&allowed);
    serve();
}
