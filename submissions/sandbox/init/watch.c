/* What the bot's processes use, where no control group tells or limits it: the processor time and the memory of them all, by
 * the worker's /proc. Bots never see that descriptor. */
#include "jail.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

enum { DEEPEST = 32 };
enum { OFTEN = 8000000, SELDOM = 16000000 }; /* nanoseconds between two looks: while a bot runs, and while it waits */

enum { TRIPWIRE = 1000000 };                 /* between two looks at the free memory of the machine, for builds */

enum what { TIMES, MEMORY_HELD, MEMORY_SHARES, STOPPED, CONTINUED };
struct use { uint64_t cpu, anonymous, files; };

static ssize_t read_entry(const char *path, char *to, size_t room)
{
    int fd = open_ours(proc_fd, path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, to, room - 1);
    close_fd(&fd);
    to[size > 0 ? size : 0] = 0;
    return size;
}

/* The kilobytes of a line such as "RssAnon:     120 kB"; 0 if there is none. */
static uint64_t kilobytes(const char *text, const char *name)
{
    const char *line = strstr(text, name);
    return line ? strtoull(line + strlen(name), NULL, 10) : 0;
}

/* A child that its parent waited for is in its parent's times. The kernel tells them in hundredths of a second. */
static uint64_t times_of(long pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "%ld/stat", pid);
    if (read_entry(path, text, sizeof text) <= 0)
        return 0;
    char *at = strrchr(text, ')');
    uint64_t ticks = 0;
    for (int field = 3; at && field <= 17; field++) {
        at = strchr(at + 1, ' ');
        if (at && field >= 14)
            ticks += strtoull(at, NULL, 10);
    }
    return ticks * 10000000u;
}

static void add(struct use *all, long pid, enum what what)
{
    char path[64], text[4096];
    if (what == STOPPED || what == CONTINUED) {
        syscall(SYS_kill, pid, what == STOPPED ? SIGSTOP : SIGCONT, 0, 0, (long)secret[1], (long)secret[0]);
        return;
    }
    if (what == TIMES) {
        all->cpu += times_of(pid);
        return;
    }
    snprintf(path, sizeof path, "%ld/status", pid);
    if (read_entry(path, text, sizeof text) <= 0)
        return;
    uint64_t held = kilobytes(text, "\nRssAnon:");
    all->files += kilobytes(text, "\nRssFile:");
    all->anonymous += kilobytes(text, "\nVmPTE:") + kilobytes(text, "\nVmSwap:");
    if (what == MEMORY_SHARES) { /* pages that it shares with its parent since it was forked count in parts */
        snprintf(path, sizeof path, "%ld/smaps_rollup", pid);
        if (read_entry(path, text, sizeof text) > 0 && strstr(text, "\nPss_Anon:"))
            held = kilobytes(text, "\nPss_Anon:");
    }
    all->anonymous += held;
}

static void add_children(struct use *all, const char *of, enum what what, int depth)
{
    char list[16 * 1024];
    if (depth > DEEPEST || read_entry(of, list, sizeof list) <= 0)
        return;
    for (char *at = list, *end;; at = end) {
        long pid = strtol(at, &end, 10);
        if (end == at)
            return;
        add(all, pid, what); /* first: a child that ends meanwhile is missed once rather than counted twice */
        if (!several)
            continue;
        struct entry { uint64_t number; int64_t next; uint16_t size; uint8_t kind; char name[]; };
        _Alignas(struct entry) char threads[4096];
        char path[64];
        snprintf(path, sizeof path, "%ld/task", pid);
        int folder = open_ours(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        for (long size; folder >= 0 && (size = syscall(SYS_getdents64, folder, threads, sizeof threads)) > 0;)
            for (long next = 0; next < size; next += ((struct entry *)(threads + next))->size) {
                const char *name = ((struct entry *)(threads + next))->name;
                snprintf(path, sizeof path, "%ld/task/%.20s/children", pid, name);
                if (name[0] != '.')
                    add_children(all, path, what, depth + 1);
            }
        close_fd(&folder);
    }
}

static struct use all_use(enum what what)
{
    struct use all = {0};
    add_children(&all, "thread-self/children", what, 0);
    return all;
}

/* Let no process of a build do anything, or let all go on. */
static void hold_still(enum what what)
{
    if (confined)
        all_use(what);
    else
        syscall(SYS_kill, -1, what == STOPPED ? SIGSTOP : SIGCONT, 0, 0, (long)secret[1], (long)secret[0]);
}

static uint64_t free_memory(void)
{
    struct sysinfo about;
    return syscall(SYS_sysinfo, &about, 0, 0, 0, (long)secret[1], (long)secret[0]) ? 0 : (uint64_t)about.freeram * about.mem_unit;
}

/* The process clock of the bot, over all its threads, also those that have ended. */
static uint64_t own_clock(void)
{
    struct timespec t;
    clockid_t clock = (clockid_t)(~(unsigned)bot.pid << 3 | 2);
    if (syscall(SYS_clock_gettime, clock, &t, 0, 0, (long)secret[1], (long)secret[0]))
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A control group tells nanoseconds (version 1), or a table that begins with microseconds (version 2). */
static uint64_t group_clock(void)
{
    char text[256];
    ssize_t size = pread(clock_fd, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = 0;
    return text[0] == 'u' ? 1000 * strtoull(text + strlen("usage_usec"), NULL, 10) : strtoull(text, NULL, 10);
}

uint64_t cpu_used(void)
{
    if (clock_fd >= 0)
        return group_clock();
    if (!several || proc_fd < 0)
        return own_clock();
    uint64_t all = all_use(TIMES).cpu, first = own_clock();
    return all > first ? all : first;
}

int oversized(uint64_t t)
{
    uint64_t ran = several ? 0 : own_clock();
    if (ran && ran == bot.cpu_seen) { /* it waits, and so it cannot have taken any */
        bot.memory_due = t + SELDOM;
        return 0;
    }
    static uint64_t look_due, free_before;
    int fast = 0; /* many processes can take memory faster than we can add it up */
    if (several) {
        fast = free_memory() + memory_limit / 8 < free_before;
        if (!fast && t >= bot.began + SOON && t < look_due) {
            bot.memory_due = t + TRIPWIRE;
            return 0;
        }
        if (fast)
            hold_still(STOPPED);
    }
    struct use all = all_use(MEMORY_HELD);
    uint64_t held = 1024 * all.anonymous + bot.shared;
    if (several && held > memory_limit)
        held = 1024 * all_use(MEMORY_SHARES).anonymous + bot.shared;
    uint64_t took = now() - t;
    bot.cpu_seen = ran;
    if (all.files > bot.end.files)
        bot.end.files = (uint32_t)all.files;
    if (held > bot.end.peak)
        bot.end.peak = held;
    look_due = bot.memory_due = t + took + (4 * took > OFTEN ? 4 * took : OFTEN);
    if (several) {
        bot.memory_due = t + took + TRIPWIRE;
        free_before = free_memory();
        if (fast && held <= memory_limit)
            hold_still(CONTINUED);
    }
    return held > memory_limit;
}
