/* Two bots that try to tell each other something: `channels CHANNEL send|receive FILES...`, one command in each line.
 *
 * "0" and "1" ask the sender to send a bit; it answers "ok". "r" asks the receiver, which answers with a number. What the
 * number means is up to benchmarks/channels.py: it looks for any difference that the bit makes. A sender goes on with what
 * it does for the bit until its next command arrives. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

static char **files;
static int file_count, turn, opened = -1;
static volatile char *page;
static volatile long sink;

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int asked(void)
{
    struct pollfd wait = {.fd = 0, .events = POLLIN};
    return poll(&wait, 1, 0) != 0;
}

static int file(void)
{
    if (opened < 0 && (opened = open(files[0], O_RDONLY)) < 0)
        exit(3); /* a channel that is not tried must not look like one that is shut */
    return opened;
}

static volatile char *mapped(void)
{
    if (!page) {
        void *at = mmap(0, 4096, PROT_READ, MAP_SHARED, file(), 0);
        page = at == MAP_FAILED ? NULL : at;
    }
    return page;
}

static long read_number(const char *path)
{
    char text[4096];
    long sum = 0;
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return 0;
    text[n] = 0;
    for (char *at = text; *at; at++)
        sum = sum * 31 + *at;
    return sum & 0xffffff;
}

/* In steps of 5 microseconds: what a disk or a lock takes, and not the state of the processor, which has channels of its
 * own below. */
static int64_t coarse(int64_t t) { return t / 5000; }

static int64_t time_of_read(void)
{
    char byte;
    int64_t t = now();
    sink += pread(file(), &byte, 1, 0);
    return coarse(now() - t);
}

static int64_t time_of_work(void)
{
    int64_t t = now();
    for (long i = 0; i < 2000000; i++)
        sink += i;
    return now() - t;
}

static void evict_nothing(int bit) { (void)bit; }

/* what a page cache tells */
static void advise(int bit) { posix_fadvise(file(), 0, 4096, bit ? POSIX_FADV_DONTNEED : POSIX_FADV_WILLNEED); }
static void page_out(int bit)
{
    if (!mapped())
        return;
    sink += *mapped();
    if (bit)
        madvise((void *)page, 4096, MADV_PAGEOUT);
}
static int64_t resident(void)
{
    unsigned char is = 0;
    if (!mapped() || mincore((void *)page, 4096, &is))
        return 0;
    return is & 1;
}
static int64_t faults(void)
{
    struct rusage before, after;
    void *at = mmap(0, 4096, PROT_READ, MAP_PRIVATE, file(), 0);
    if (at == MAP_FAILED)
        return 0;
    getrusage(RUSAGE_SELF, &before);
    sink += *(volatile char *)at;
    getrusage(RUSAGE_SELF, &after);
    munmap(at, 4096);
    return after.ru_majflt - before.ru_majflt;
}
static void look_at(int bit)
{
    char byte;
    int fd = bit && turn < file_count ? open(files[turn], O_RDONLY) : -1;
    if (fd >= 0) {
        sink += read(fd, &byte, 1);
        close(fd);
    }
    turn++;
}
static int64_t access_time(void)
{
    struct stat about = {0};
    if (turn < file_count)
        stat(files[turn], &about);
    turn++;
    return about.st_atim.tv_sec ? about.st_atim.tv_sec - about.st_mtim.tv_sec > 0 &&
           about.st_atim.tv_sec > time(NULL) - 60 && about.st_atim.tv_sec <= time(NULL) : 0;
}
static int64_t free_blocks(void)
{
    struct statfs about = {0};
    return statfs(file_count ? files[0] : "/", &about) ? 0 : (int64_t)(about.f_bfree & 0xffffff);
}

/* locks on a common file */
static void lock(int bit) { flock(file(), bit ? LOCK_EX | LOCK_NB : LOCK_UN); }
static int64_t locked(void)
{
    int failed = flock(file(), LOCK_EX | LOCK_NB);
    flock(file(), LOCK_UN);
    return failed != 0;
}
static void record_lock(int bit)
{
    struct flock it = {.l_type = bit ? F_RDLCK : F_UNLCK};
    fcntl(file(), F_OFD_SETLK, &it);
}
static int64_t record_locked(void)
{
    struct flock it = {.l_type = F_WRLCK};
    return fcntl(file(), F_OFD_GETLK, &it) ? 0 : it.l_type != F_UNLCK;
}
static void lease(int bit) { fcntl(file(), F_SETLEASE, bit ? F_RDLCK : F_UNLCK); }
static int64_t leased(void) { return fcntl(file(), F_GETLEASE); }
static int64_t locks_of_all(void) { return read_number("/proc/locks"); }

/* a futex on a page of a common file */
static void wake(int bit)
{
    if (bit && mapped())
        for (int i = 0; i < 2000 && !asked(); i++)
            syscall(SYS_futex, page, FUTEX_WAKE, 1, 0, 0, 0);
}
static int64_t woken(void)
{
    struct timespec most = {0, 1000000};
    return mapped() && !syscall(SYS_futex, page, FUTEX_WAIT, *(volatile int *)page, &most, 0, 0);
}

/* what counts the whole machine */
static char *hoard;
static void take_memory(int bit)
{
    if (!hoard)
        hoard = mmap(0, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bit)
        memset(hoard, 1, 16 << 20);
    else
        madvise(hoard, 16 << 20, MADV_DONTNEED);
}
static int64_t free_memory(void)
{
    struct sysinfo about = {0};
    sysinfo(&about);
    return (int64_t)(about.freeram * about.mem_unit >> 20);
}
static void burn(int bit)
{
    for (int64_t until = now() + 12000000; bit && now() < until && !asked();)
        sink++;
}
static int64_t statistics(void) { usleep(11000); return read_number("/proc/stat"); }
static int64_t load(void) { usleep(11000); return read_number("/proc/loadavg"); }
static int64_t meminfo(void) { return read_number("/proc/meminfo"); }
static int64_t pressure(void) { usleep(11000); return read_number("/proc/pressure/cpu"); }
static void make_pipes(int bit)
{
    int ends[2];
    for (int i = 0; i < 3 * bit; i++)
        if (!pipe(ends)) {
            close(ends[0]);
            close(ends[1]);
        }
}
static int64_t inode(void)
{
    static int64_t before;
    struct stat about = {0};
    int ends[2];
    if (!pipe(ends)) {
        fstat(ends[0], &about);
        close(ends[0]);
        close(ends[1]);
    }
    int64_t passed = (int64_t)about.st_ino - before;
    before = (int64_t)about.st_ino;
    return passed;
}
static void make_memory_files(int bit)
{
    for (int i = 0; i < 3 * bit; i++) {
        int fd = memfd_create("x", 0);
        if (fd >= 0)
            close(fd);
    }
}
static int64_t memory_inode(void)
{
    static int64_t before;
    struct stat about = {0};
    int fd = memfd_create("x", 0);
    if (fd >= 0) {
        fstat(fd, &about);
        close(fd);
    }
    int64_t passed = (int64_t)about.st_ino - before;
    before = (int64_t)about.st_ino;
    return passed;
}
static void *nothing(void *it) { return it; }
static void *number(void *it)
{
    *(int64_t *)it = syscall(SYS_gettid);
    return it;
}
static void make_threads(int bit)
{
    pthread_t it;
    for (int i = 0; i < 3 * bit; i++)
        if (!pthread_create(&it, 0, nothing, 0))
            pthread_join(it, 0);
}
static int64_t thread_number(void)
{
    static int64_t before;
    int64_t found = before;
    pthread_t it;
    if (!pthread_create(&it, 0, number, &found))
        pthread_join(it, 0);
    int64_t passed = found - before;
    before = found;
    return passed;
}
static void make_timers(int bit)
{
    static timer_t timers[10000];
    static int have;
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    while (bit && have < 10000 && !timer_create(CLOCK_MONOTONIC, &event, &timers[have]))
        have++;
    while (!bit && have)
        timer_delete(timers[--have]);
}
static int64_t timers_left(void)
{
    static timer_t timers[3];
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    int have = 0;
    while (have < 3 && !timer_create(CLOCK_MONOTONIC, &event, &timers[have]))
        have++;
    for (int i = 0; i < have; i++)
        timer_delete(timers[i]);
    return have;
}

/* another process by its number, which files[0] is */
static int64_t clock_of_other(void)
{
    struct timespec t = {0};
    static int64_t before;
    clock_gettime((clockid_t)(~(unsigned)atoi(files[0]) << 3 | 2), &t);
    int64_t at = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec, passed = at - before;
    before = at;
    return passed;
}
static void burn_a_little(int bit)
{
    for (int64_t until = now() + 300000; bit && now() < until;)
        sink++;
}
static void change_priority(int bit) { setpgid(0, bit ? 0 : getppid()); setpriority(PRIO_PROCESS, 0, bit); }
static int64_t other_process(void)
{
    return getpgid(atoi(files[0])) * 100 + getpriority(PRIO_PROCESS, (unsigned)atoi(files[0])) * 10 +
           sched_getscheduler(atoi(files[0]));
}

/* things with names */
static void bind_name(int bit)
{
    static int fd = -1;
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0kibitz-channel"};
    if (bit && fd < 0) {
        fd = socket(AF_UNIX, SOCK_STREAM, 0);
        bind(fd, (struct sockaddr *)&name, sizeof name);
    } else if (!bit && fd >= 0) {
        close(fd);
        fd = -1;
    }
}
static int64_t name_bound(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0kibitz-channel"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), failed = bind(fd, (struct sockaddr *)&name, sizeof name);
    close(fd);
    return failed != 0;
}
static void set_semaphore(int bit) { semctl(semget(4711, 1, IPC_CREAT | 0666), 0, SETVAL, bit); }
static int64_t semaphore(void) { return semctl(semget(4711, 1, IPC_CREAT | 0666), 0, GETVAL); }
static void add_key(int bit) { syscall(SYS_add_key, "user", "kibitz", bit ? "1" : "0", 1, -4); }
static int64_t key(void) { return syscall(SYS_request_key, "user", "kibitz", 0, -4) > 0; }
static int64_t watched(void)
{
    static int fd = -2;
    char events[4096];
    if (fd == -2) {
        fd = inotify_init1(IN_NONBLOCK);
        inotify_add_watch(fd, files[0], IN_ALL_EVENTS);
    }
    return read(fd, events, sizeof events) > 0;
}
static void open_again(int bit)
{
    int fd = bit ? open(files[0], O_RDONLY) : -1;
    if (fd >= 0)
        close(fd);
}

/* the processor: its caches, its time */
#if defined(__x86_64__)
static int64_t reload(volatile char *at)
{
    unsigned core;
    uint64_t t = __rdtscp(&core);
    sink += *at;
    t = __rdtscp(&core) - t;
    _mm_clflush((const void *)at);
    _mm_mfence();
    return (int64_t)t;
}
static void touch(volatile char *at, int bit)
{
    for (int i = 0; at && bit && i < 200 && !asked(); i++)
        sink += *at;
}
static volatile char *common(void) { return (volatile char *)getauxval(AT_SYSINFO_EHDR) + 0x780; }
static void touch_file(int bit) { touch(mapped(), bit); }
static int64_t reload_file(void) { return mapped() ? reload(mapped()) : 0; }
static void touch_kernel_page(int bit) { touch(common(), bit); }
static int64_t reload_kernel_page(void) { return reload(common()); }
#endif
static void stream(int bit)
{
    static char *much;
    if (!much)
        much = mmap(0, 32 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (long at = 0; bit && at < 32 << 20 && !asked(); at += 64)
        much[at]++;
}
static int64_t stream_time(void)
{
    static char *much;
    if (!much) {
        much = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(much, 1, 1 << 20);
    }
    int64_t t = now();
    for (long at = 0; at < 1 << 20; at += 64)
        sink += much[at];
    return now() - t;
}
static void barrier(int bit)
{
    for (int i = 0; bit && i < 3; i++)
        syscall(SYS_membarrier, 1, 0, 0);
}
static int64_t barrier_time(void)
{
    int64_t t = now();
    syscall(SYS_membarrier, 1, 0, 0);
    return coarse(now() - t);
}
static void flush_disks(int bit)
{
    if (bit)
        sync();
}
static int64_t flush_time(void)
{
    int64_t t = now();
    sync();
    return coarse(now() - t);
}

static const struct channel {
    const char *name;
    void (*send)(int);
    int64_t (*receive)(void);
} channels[] = {
    {"fadvise", advise, time_of_read}, {"mincore", advise, resident}, {"pageout", page_out, time_of_read},
    {"faults", advise, faults}, {"atime", look_at, access_time}, {"statfs", take_memory, free_blocks},
    {"flock", lock, locked}, {"record-lock", record_lock, record_locked}, {"lease", lease, leased},
    {"proc-locks", lock, locks_of_all}, {"futex", wake, woken}, {"sysinfo", take_memory, free_memory},
    {"proc-stat", burn, statistics}, {"proc-loadavg", burn, load}, {"proc-meminfo", take_memory, meminfo},
    {"proc-pressure", burn, pressure}, {"pipe-inode", make_pipes, inode}, {"memfd-inode", make_memory_files, memory_inode},
    {"thread-number", make_threads, thread_number}, {"timers", make_timers, timers_left},
    {"clock-of-process", burn_a_little, clock_of_other}, {"state-of-process", change_priority, other_process},
    {"abstract-socket", bind_name, name_bound}, {"semaphore", set_semaphore, semaphore}, {"key", add_key, key},
    {"inotify", open_again, watched}, {"membarrier", barrier, barrier_time}, {"sync", flush_disks, flush_time},
    {"nothing", evict_nothing, time_of_read},
    {"cpu-time", burn, time_of_work}, {"cpu-cache", stream, stream_time},
#if defined(__x86_64__)
    {"cache-line-of-file", touch_file, reload_file}, {"cache-line-of-kernel", touch_kernel_page, reload_kernel_page},
#endif
};

int main(int count, char **arguments)
{
    char line[16];
    const struct channel *it = NULL;
    for (size_t i = 0; count > 2 && i < sizeof channels / sizeof *channels; i++)
        if (!strcmp(channels[i].name, arguments[1]))
            it = &channels[i];
    if (!it) {
        for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
            puts(channels[i].name);
        return 0;
    }
    files = arguments + 3, file_count = count - 3;
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == 'r')
            printf("%lld\n", (long long)it->receive());
        else if (!strcmp(it->name, "cpu-time") || !strcmp(it->name, "cpu-cache") || !strcmp(it->name, "futex") ||
                 !strncmp(it->name, "cache-line", 10)) {
            puts("ok"), fflush(stdout);
            it->send(line[0] == '1');
            continue;
        } else {
            it->send(line[0] == '1');
            puts("ok");
        }
        fflush(stdout);
    }
    return 0;
}
