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

enum { SOCKET = 3, PROGRAM = 900, MAX_FDS = 16, MAX_CGROUPS = 4, MAX_STRINGS = 1024 };
enum { PATH_SIZE = 4096, STREAM_MAX = 64 * 1024, MESSAGE_MAX = 256 * 1024 };
#define SCRATCH ((void *)0x4b6962697000UL)
#define NEVER UINT64_MAX

/* ---- messages on the socket; wire.py has the same structures -------------------------------------------------- */

enum { SETUP = 1, START, RUN, KILL };                   /* worker to jail */
enum { READY = 1, HELLO, STARTED, ENDED, FAILED };      /* jail to worker */
enum { EXITED = 1, SIGNALLED, VIOLATION, KILLED, WALL, OUTPUT, CPU };

struct setup {
    uint32_t op, instructions, calls, rules_size, cgroups;
    uint32_t program;                                   /* length of its path, 0: exec by path */
    uint32_t secret[2];
    uint32_t port;                                      /* of the listening socket on our loopback; 0: none */
    /* then: struct sock_filter[instructions], struct call[calls], rules, path of the program */
};
struct call { uint16_t number; uint8_t path, flags; };  /* the arguments with a path and with open flags */
enum { NONE = 255, ADDRESS = 254, PLACEHOLDER = 253 };  /* as flags: none; path is a socket's address instead.
                                                           As path: a socket of the internet gets /dev/null */
enum { LOOKUP = 252, CONNECT = 251 };                   /* as flags: answered by where the name leads; as path: connect */
enum { THREAD = 250 };                                  /* as path: there may be no thread left; other clones are violations */
enum { MEMORY = 249 };                                  /* as path: more memory at once than its limit leaves */
enum { OWN = 248 };                                     /* as path: flags is the argument with a process, only of the bot */
enum { CLOCK = 247 };                                   /* the same with a clock of a process */
enum { COUNTED = 246 };                                 /* as path: only so many in the life of a process */
enum { SYSINFO = 245 };                                 /* as path: answered with constants */
/* rules: KIND PATH NUL, first match counts; a PATH that ends in / matches everything below it.
   r: may be read   s: answered "no such file"   e: answered "not permitted"
   u: gets /dev/urandom   n: gets /dev/null   h: gets the jail's own /etc/hosts */

struct limits { uint64_t data, space, stack, file, cpu, processes, files; };
struct start {
    uint32_t op, arguments, environment, question;
    uint64_t wall_ns, output, errors;                   /* RUN only */
    uint64_t cpu_ns;                                    /* of the bot's first process with all its threads */
    struct limits limits;
    /* then: arguments and environment, each NUL-terminated, and for RUN the question */
};
struct record {
    uint32_t op, status;
    int32_t code, signal;
    uint64_t cpu_ns, wall_ns, peak;
    uint32_t call, arch;
    uint64_t argument;                                  /* the first argument of the forbidden call */
    uint32_t path, output, errors;                      /* lengths of what follows */
    uint32_t threads;                                   /* requested by the bot and refused */
    uint32_t memory, unused;                            /* how often it asked for too much, without control groups */
};

/* ---- state: one jail, at most one bot (jail.c) ----------------------------------------------------------------- */

extern int listener, null_fd, urandom_fd;
extern const char *box;                                 /* its path in the file system */
extern int confined;                                    /* by Landlock, without namespaces */
extern int children_fd;                                 /* if confined: the kernel's list of our children */
extern uint32_t secret[2];                              /* in arguments of our calls that the kernel ignores */
extern unsigned port;                                   /* of a TCP client's server; 0: none */
extern int cgroup_fds[MAX_CGROUPS], cgroups, cores;
extern struct call calls[512];
extern unsigned call_count;
extern char *rules;
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
    uint64_t streams_due;                               /* when to relay, unless it has ended before */
    int cores;                                          /* usable at once */
    unsigned notified, numbered;                        /* calls that came to us in this second; those that are counted */
    uint64_t notified_since;
    struct record end;
    char path[PATH_SIZE];
};
extern struct bot bot;

/* ---- functions ------------------------------------------------------------------------------------------------ */

uint64_t now(void);                                     /* by the monotonic clock, in nanoseconds */
void close_fd(int *fd);                                 /* and forget it */
void say(const void *data, size_t size);                /* to the worker; does not return if that is gone */
void fail(const char *what, int error);                 /* our own failure: never a bot's */

int prepare_births(void);                               /* once, before `start`; -1 if memory is short */
void set_up(char *data, size_t size, int *fds, int fd_count);
void start(char *data, size_t size, int *fds, int fd_count);
void kill_everybody(void);
void finish(uint32_t status);                           /* kill and reap everything, then report */
void leave(void) __attribute__((noreturn));             /* the worker is gone */
void notified(void);
void serve(void) __attribute__((noreturn));

/* ---- without namespaces ------------------------------------------------------------------------------------------ */

struct seccomp_notif;
extern uint64_t scratch_limit;                          /* for the contents of the box; 0: not writable */
extern int most_threads;                                /* in the bot's single process, counted here */
extern int server_fd;                                   /* a TCP client's server, until the worker has it */

const char *confine(int count, char **arguments);       /* returns what failed */
int open_ours(int folder, const char *path, int flags);
int open_hosts(void);
int threads_of(pid_t pid);
int is_thread_of(pid_t pid, pid_t thread);
int show(const char *path);                             /* allow look-ups of everything below it; -1: impossible */
int look_up(pid_t pid, int folder, const char *name);
void tidy(char *path);                                  /* "/box/../etc//passwd" to "/etc/passwd" */
int serve_loopback(unsigned port);
unsigned server_port(void);
int connect_bot(const struct seccomp_notif *note);
int overflowing(void);

/* ---- programs of their own --------------------------------------------------------------------------------------- */


int launch(int count, char **arguments);
int emit(const char *path);
int store(char **arguments);

#endif
