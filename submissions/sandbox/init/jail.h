/* Shared by the parts of process 1: messages on its socket, its state, its functions. */
#ifndef JAIL_H
#define JAIL_H

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#else
#error "which processor is this?"
#endif

enum { SOCKET = 3, PROGRAM = 900, MAX_FDS = 16, MAX_CGROUPS = 4, MAX_STRINGS = 1024, MAX_PORTS = 5 };
enum { PATH_SIZE = 4096, STREAM_MAX = 64 * 1024, MESSAGE_MAX = 256 * 1024, RULES_MAX = 32 * 1024 };
#define NEVER UINT64_MAX

/* ---- messages on the socket; wire.py has the same structures -------------------------------------------------- */

enum { SETUP = 1, START, RUN, KILL };                   /* worker to jail */
enum { READY = 1, HELLO, STARTED, ENDED, FAILED };      /* jail to worker */
enum { EXITED = 1, SIGNALLED, VIOLATION, KILLED, WALL, OUTPUT, CPU, MEMORY };

struct setup {
    uint32_t op, instructions, calls, rules_size, cgroups;
    uint32_t program;                                   /* length of its path, 0: exec by path */
    uint32_t secret[2];
    uint64_t scratch;                                   /* address of our page for reading and writing others' memory */
    uint64_t memory;                                    /* what the bot's processes may hold; NEVER: a cgroup sees to it */
    uint32_t ports[MAX_PORTS];                          /* of the server on our loopback; 0: no further one */
    uint32_t several;                                   /* whether the bot may have more than one process */
    uint32_t clock, proc;                               /* whether those descriptors follow: a cgroup's time, /proc */
    /* then: struct sock_filter[instructions], struct call[calls], rules, path of the program */
};
struct call { uint16_t number; uint8_t path, flags; };  /* the arguments with a path and with open flags */
enum { NONE = 255, ADDRESS = 254, PLACEHOLDER = 253 };  /* as flags: none; path is a socket's address instead.
                                                           As path: a socket of the internet gets /dev/null */
enum { LOOKUP = 252, CONNECT = 251 };                   /* as flags: answered by where the name leads; as path: connect */
enum { THREAD = 250 };                                  /* as path: there may be no thread left; other clones are violations */
enum { SHARED = 249 };                                  /* as path: shared memory, which counts when asked for */
enum { OWN = 248 };                                     /* as path: flags is the argument with a process, only of the bot */
enum { CLOCK = 247 };                                   /* the same with a clock of a process */
enum { COUNTED = 246 };                                 /* as path: only so many in the life of a process */
enum { SYSINFO = 245 };                                 /* as path: answered with constants */
enum { PAIRS = 243 };                                   /* as path: only so many pairs of sockets in a build */
enum { BIND = 242 };                                    /* as path: bind */
enum { OPENED = 241, OWN_NAME = 240, MESSAGE = 239 };   /* as path: fstat; getsockname; sendmsg */
enum { ABOUT = 244 };                                   /* as flags: a look-up that we answer ourselves */
/* rules: KIND PATH NUL, first match counts; a PATH that ends in / matches everything below it.
   r: may be read   s: answered "no such file"   e: answered "not permitted"
   u: gets /dev/urandom   n: gets /dev/null   h: gets the file of that name in the jail's root */

struct limits { uint64_t data, space, stack, file, cpu, processes, files; };
struct start {
    uint32_t op, arguments, environment, question;
    uint64_t wall_ns, output, errors;                   /* RUN only */
    uint64_t cpu_ns;                                    /* of all its processes */
    struct limits limits;
    /* then: arguments and environment, each NUL-terminated, and for RUN the question */
}; /* STARTED hands over our ends of the bot's three streams */
struct record {
    uint32_t op, status;
    int32_t code, signal;
    uint64_t cpu_ns, wall_ns, peak;
    uint32_t call, arch;
    uint64_t argument;                                  /* the first argument of the forbidden call */
    uint32_t path, output, errors;                      /* lengths of what follows */
    uint32_t threads;                                   /* requested by the bot and refused */
    uint32_t memory, files;                             /* refused shared memory; kB of files mapped when last watched */
    uint32_t own_hand, unused;                          /* whether it has sent SIGKILL itself */
};

/* ---- state: one jail, at most one bot (jail.c) ----------------------------------------------------------------- */

extern int listener, null_fd, urandom_fd;
extern const char *box;                                 /* its path in the file system */
extern int confined;                                    /* by Landlock, without namespaces */
extern int children_fd;                                 /* if confined: the kernel's list of our children */
extern uint32_t secret[2];                              /* in arguments of our calls that the kernel ignores */
extern void *scratch_page;                              /* its address is as secret */
extern int several;                                     /* the bot may have more than one process */
extern int streams_fd;                                  /* the folder with its streams and pipes as FIFOs; -1: none */
extern int clock_fd, proc_fd;                           /* a cgroup's processor time; /proc of the worker */
extern uint64_t memory_limit;                           /* of all the bot's processes, watched by us; or NEVER */
extern unsigned ports[MAX_PORTS];                       /* of a TCP client's server, the rest 0 */
extern int cgroup_fds[MAX_CGROUPS], cgroups, cores;
extern struct call calls[512];
extern unsigned call_count;
extern char rules[RULES_MAX];
extern unsigned rules_size;
extern char output[STREAM_MAX + 1], errors[STREAM_MAX + 1];

struct bot {
    pid_t pid;
    int pidfd, in, out, err, relayed;
    const char *question;
    size_t question_left, output_limit, errors_limit, output, errors;
    uint64_t began, deadline;                           /* by the wall clock */
    uint64_t cpu_most, cpu_due;                         /* its limit, and the earliest time it can have reached it */
    uint64_t scratch_due;                               /* when to check what it has written */
    uint64_t memory_due;                                /* when to check what it holds */
    uint64_t cpu_before;                                /* of the cgroup, at its start */
    uint64_t cpu_seen;                                  /* when its memory was last checked */
    uint64_t shared;                                    /* bytes of shared memory that it was granted */
    uint64_t streams_due;                               /* when to relay, unless it has ended before */
    int cores;                                          /* usable at once */
    unsigned numbered;                                  /* calls that are counted */
    uint64_t listening_due;                             /* when to hear of its next call */
    struct record end;
    char path[PATH_SIZE];
};
extern struct bot bot;

/* ---- functions ------------------------------------------------------------------------------------------------ */

uint64_t now(void);                                     /* by the monotonic clock, in nanoseconds */
void close_fd(int *fd);                                 /* and forget it */
void say(const void *data, size_t size);                /* to the worker; does not return if that is gone */
void hand_over(const void *data, size_t size, int *fds, int count); /* the same with descriptors, which are closed here */
void fail(const char *what, int error);                 /* our own failure: never a bot's */

int prepare_births(void);                               /* once, before `start`; -1 if memory is short */
int prepare_streams(void);                              /* for a bot that has a file system of its own; -1: impossible */
enum { FIRST_PIPE = 3, MOST_NUMBERED = 16 };            /* after its streams; how many counted things it may have */
int open_fifo(unsigned number, int *ends, int reading, int writing); /* -1: impossible */
void set_up(char *data, size_t size, int *fds, int fd_count);
void start(char *data, size_t size);
void kill_everybody(void);
void finish(uint32_t status);                           /* kill and reap everything, then report */
void leave(void) __attribute__((noreturn));             /* the worker is gone */
void notified(void);
void serve(void) __attribute__((noreturn));
enum { SOON = 8000000 };                                /* nanoseconds until its memory is checked for the first time */
uint64_t cpu_used(void);                                /* by all of the bot's processes, in nanoseconds */
int oversized(uint64_t t);                              /* whether they hold too much; otherwise sets when to look again */

/* ---- without namespaces ------------------------------------------------------------------------------------------ */

struct seccomp_notif;
extern uint64_t scratch_limit;                          /* for the contents of the box; 0: not writable */
extern int most_threads;                                /* in the bot's single process, counted here */
extern int server_fd;                                   /* a TCP client's server, until the worker has it */

const char *confine(int count, char **arguments);       /* returns what failed */
int lock_land(void);                                    /* ourselves, a bot before it starts; -1: impossible */
int open_ours(int folder, const char *path, int flags);
int open_own(const char *name);
int threads_of(pid_t pid);
int is_thread_of(pid_t pid, pid_t thread);
int show(const char *path);                             /* allow look-ups of everything below it; -1: impossible */
enum { OUTSIDE = -1 };                                  /* a look-up led to a place that is not its own */
int look_up(pid_t pid, int folder, const char *name, int flags, int *fd);
int open_for(int fd, uint64_t flags, int *opened);
int change_mode(int fd, uint64_t mode);
void answer_about(const struct seccomp_notif *note, const char *name);
int open_of_bot(int fd);                                /* a copy of what it has open; -1: impossible */
int read_from(pid_t pid, uint64_t address, void *to, size_t size);
int write_to(pid_t pid, uint64_t address, const void *answer, size_t size); /* both return 0 or EFAULT */
void answer(uint64_t id, int error, int go_on);
void answer_value(uint64_t id, int64_t value);
void tidy(char *path);                                  /* "/box/../etc//passwd" to "/etc/passwd" */
int serve_loopback(unsigned port);
unsigned server_port(void);
int connect_bot(const struct seccomp_notif *note);
int tell_own_name(const struct seccomp_notif *note);
int binds_nothing(const struct seccomp_notif *note);
int overflowing(void);

/* ---- programs of their own --------------------------------------------------------------------------------------- */


int launch(int count, char **arguments);
int emit(const char *path);
int store(char **arguments);

#endif
