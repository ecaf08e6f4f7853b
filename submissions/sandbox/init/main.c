/* Process 1 of a jail, and the small helpers that the jail needs beside it. Statically linked, no configuration.
 *
 * Theory of operation
 *
 *   init launch UID GID NICE NET PROGRAM ARGS...  host side: enter the network of descriptor NET, if it is not -1, become
 *                                         an unprivileged user, then exec bubblewrap
 *   init                                  inside: process 1. Descriptor 3 is one SEQPACKET socket to the worker
 *   init confined BOX SIZE 0|1 THREADS (r|w PATH)...  the same without namespaces: Landlock opens only these paths. SIZE:
 *                                         the limit for the contents of the box; 1: its bot is a TCP client
 *   init store PATH SIZE...               inside, as a bot: files of a build, from standard input
 *   init emit FILE                        inside, as a bot: write a regular file to standard output (the built program)
 *   init hello | init cheat               inside, as a bot: run by the probe
 *
 * The worker sends SETUP once (seccomp filter, what to do about notified calls, cgroups to join), then START or RUN any
 * number of times, one bot at a time. Both open the bot's three streams. START hands their other ends to the worker and
 * keeps no copies. RUN writes the question and relays the answer. A bot ends by itself or because of KILL, a limit or a
 * forbidden system call. Everything else in the jail is killed and reaped *before* the one flat record is sent.
 *
 * The filter is installed once, here, and inherited, so starting a bot installs no filter. Process 1 is under its own
 * filter, so all its calls after SETUP must pass it (submissions/sandbox/policy.py keeps these open). What bots must not do
 * carries a secret there, in arguments that the kernel ignores:
 *   - a bot is started with clone and the secret. No bot can start a process that shares its memory but not its clock;
 *   - its program is exec'd by descriptor 900, which a bot cannot have (RLIMIT_NOFILE is far below and it is CLOEXEC);
 *   - bots' memory is read and written through an iovec at an address that is as secret.
 * No bot can read the secret: process 1 is not dumpable, and a new program starts with empty registers.
 *
 * A memory control group limits what a bot holds. Without one we look every few milliseconds (watch.c).
 *
 * Process 1 ignores every signal from its own jail (the kernel drops those without a handler, KILL and STOP included).
 * When the worker is gone, the socket ends, process 1 exits, and the kernel kills everything inside.
 *
 * Without namespaces ("confined") it is not process 1 but does the same job. As a subreaper it adopts what the bot leaves
 * behind, finds these processes in its list of children, and kills them one by one. The bot sees the host's processes and
 * may run as the worker's own user, so it may send signals only to itself. Its look-ups are answered by where the name
 * leads (lookup.c). Its server is on the host's loopback, and we connect it (client.c). The output of a build is measured
 * (scratch.c). A wrong guess of the secret ends the bot, or is judged like any other call.
 */
#include "jail.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Short time slices: limits are then enforced at once even if the bots keep every processor busy. Bots do not inherit
 * this. It is a request to the scheduler (Linux 6.12) that needs no privilege; older kernels ignore it. */
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
