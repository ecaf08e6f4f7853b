/* Two bots that try to tell each other something: `channels CHANNEL send|receive FILES...`, one command in each line.
 * `channels numbers send|receive MAY [HOST PORT]`: the receiver answers with every number that the kernel gives it. MAY
 * names calls that are no violation.
 *
 * "0" and "1" ask the sender to send a bit; it answers "ok". "r" asks the receiver, which answers with a number. What the
 * number means is up to benchmarks/channels.py: it looks for any difference that the bit makes. A sender goes on with what
 * it does for the bit until its next command arrives. */
#define _GNU_SOURCE
#include <arpa/inet.h>
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
#include <sys/epoll.h>
#include <sys/eventfd.h>
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

/* what the kernel counts for all programs of a user: bots of a worker that is not root are one */
enum { REAL_TIME = 40, MANY = 1000 };
static int64_t waiting_signals(int most)
{
    struct timespec none = {0, 0};
    sigset_t set;
    int64_t count = 0;
    sigemptyset(&set), sigaddset(&set, REAL_TIME), sigprocmask(SIG_BLOCK, &set, 0);
    for (int i = 0; i < most; i++)
        kill(getpid(), REAL_TIME);
    while (most != MANY && sigtimedwait(&set, 0, &none) == REAL_TIME)
        count++;
    return count;
}
static void queue_signals(int bit) { waiting_signals(bit ? MANY : 0); }
static int64_t signals_left(void) { return waiting_signals(100); }
static int64_t messages_on_their_way(int keep)
{
    static int ends[2];
    char room[CMSG_SPACE(sizeof(int))] = {0}, byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr it = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    int64_t count = 0;
    *CMSG_FIRSTHDR(&it) = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    if (!ends[1] && socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends))
        exit(3);
    while (count < MANY && sendmsg(ends[0], &it, 0) > 0)
        count++;
    while (!keep && read(ends[1], &byte, 1) > 0)
        ;
    return count;
}
static void send_descriptors(int bit) { messages_on_their_way(bit); }
static int64_t descriptors_sent(void) { return messages_on_their_way(0); }
static int64_t open_many(int keep)
{
    static int opened[200], have;
    for (int fd; have < 200 && (fd = dup(0)) >= 0;)
        opened[have++] = fd;
    int64_t count = have * 1000 + (have ? opened[have - 1] : 0);
    while (!keep && have)
        close(opened[--have]);
    return count;
}
static void hold_descriptors(int bit) { open_many(bit); }
static int64_t descriptors_left(void) { return open_many(0); }

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
    {"proc-pressure", burn, pressure}, {"timers", make_timers, timers_left},
    {"signals", queue_signals, signals_left}, {"messages", send_descriptors, descriptors_sent},
    {"descriptors", hold_descriptors, descriptors_left},
    {"clock-of-process", burn_a_little, clock_of_other}, {"state-of-process", change_priority, other_process},
    {"abstract-socket", bind_name, name_bound}, {"semaphore", set_semaphore, semaphore}, {"key", add_key, key},
    {"inotify", open_again, watched}, {"membarrier", barrier, barrier_time}, {"sync", flush_disks, flush_time},
    {"nothing", evict_nothing, time_of_read},
    {"cpu-time", burn, time_of_work}, {"cpu-cache", stream, stream_time},
#if defined(__x86_64__)
    {"cache-line-of-file", touch_file, reload_file}, {"cache-line-of-kernel", touch_kernel_page, reload_kernel_page},
#endif
};

/* Every number that the kernel hands out, and what makes the kernel count on. */
static struct sockaddr_in server;
static int pairs, memory_files;

static int connected(void)
{
    int fd = server.sin_port ? socket(AF_INET, SOCK_STREAM, 0) : -1;
    if (fd >= 0)
        connect(fd, (struct sockaddr *)&server, sizeof server);
    return fd;
}
static void *number(void *it)
{
    *(long *)it = syscall(SYS_gettid);
    return it;
}
static long thread_number(void)
{
    long found = 0;
    pthread_t it;
    if (!pthread_create(&it, 0, number, &found))
        pthread_join(it, 0);
    return found;
}
static void count_on(int bit)
{
    int ends[2], fd;
    if (!bit)
        return;
    if (!pipe(ends))
        close(ends[0]), close(ends[1]);
    if (pairs && !socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        close(ends[0]), close(ends[1]);
    if (memory_files && (fd = (int)syscall(SYS_memfd_create, "x", 0)) >= 0)
        close(fd);
    for (int i = 0; i < 2; i++)
        if ((fd = connected()) >= 0)
            close(fd);
    for (int i = 0; i < 3; i++)
        thread_number();
}
static void told(const char *name, long long value) { printf("%s=%lld ", name, value); }
static void tell_open(const char *name, int fd)
{
    char label[64];
    struct stat about = {0};
    struct statx more = {0};
    if (fd < 0)
        return;
    for (int way = 0; way < 3; way++) {
        static const char *const ways[] = {"fstat", "newfstatat", "statx"};
        if (way == 2 ? statx(fd, "", AT_EMPTY_PATH, STATX_ALL, &more)
                     : syscall(way ? SYS_newfstatat : SYS_fstat, fd, way ? (long)"" : (long)&about, &about, AT_EMPTY_PATH))
            continue;
        snprintf(label, sizeof label, "%s-by-%s", name, ways[way]);
        told(label, (long long)(way == 2 ? more.stx_ino : about.st_ino));
    }
    snprintf(label, sizeof label, "device-of-%s", name), told(label, (long long)about.st_dev);
    snprintf(label, sizeof label, "mount-of-%s", name), told(label, (long long)more.stx_mnt_id);
    snprintf(label, sizeof label, "mode-of-%s", name), told(label, (long long)about.st_mode);
}
static void tell_socket(const char *name, int fd)
{
    char label[64];
    struct sockaddr_in own = {0};
    socklen_t size = sizeof own;
    long long cookie = 0;
    if (!getsockname(fd, (struct sockaddr *)&own, &size))
        snprintf(label, sizeof label, "port-of-%s", name), told(label, ntohs(own.sin_port));
    size = sizeof cookie;
    if (!getsockopt(fd, SOL_SOCKET, 57, &cookie, &size)) /* SO_COOKIE */
        snprintf(label, sizeof label, "cookie-of-%s", name), told(label, cookie);
    int pidfd = -1;
    size = sizeof pidfd;
    if (!getsockopt(fd, SOL_SOCKET, 77, &pidfd, &size)) /* SO_PEERPIDFD */
        snprintf(label, sizeof label, "process-of-%s", name), tell_open(label, pidfd), close(pidfd);
}
static void tell_numbers(void)
{
    int ends[2], fd, timer = 0;
    struct stat about = {0};
    struct timespec t = {0};
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    told("process", getpid()), told("parent", getppid()), told("session", getsid(0)), told("group", getpgid(0));
    told("first-thread", syscall(SYS_set_tid_address, &timer)), told("thread", thread_number());
    tell_open("input", 0), tell_open("output", 1), tell_open("errors", 2);
    if (!pipe(ends)) {
        tell_open("pipe", ends[0]);
        told("pipe-size", fcntl(ends[0], F_GETPIPE_SZ));
        close(ends[0]), close(ends[1]);
    }
    if (pairs && !socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) {
        tell_open("pair", ends[0]), tell_socket("pair", ends[0]);
        close(ends[0]), close(ends[1]);
    }
    if ((fd = connected()) >= 0) {
        tell_open("connection", fd), tell_socket("connection", fd);
        close(fd);
    }
    if (memory_files && (fd = (int)syscall(SYS_memfd_create, "x", 0)) >= 0)
        tell_open("memfd", fd), close(fd);
    if ((fd = eventfd(0, 0)) >= 0)
        tell_open("eventfd", fd), close(fd);
    if ((fd = epoll_create1(0)) >= 0)
        tell_open("epoll", fd), close(fd);
    if (!stat("/", &about))
        told("root", (long long)about.st_ino), told("device-of-root", (long long)about.st_dev);
    if (!stat("/streams", &about))
        told("streams", (long long)about.st_ino), told("time-of-streams", about.st_mtim.tv_nsec);
    if (!syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer))
        told("timer", timer), syscall(SYS_timer_delete, timer);
    if (!clock_gettime(CLOCK_BOOTTIME, &t))
        told("low-bits-of-the-clock", t.tv_nsec & 7);
    told("cgroup", read_number("/proc/self/cgroup")), told("mounts", read_number("/proc/self/mountinfo"));
    puts("");
}

int main(int count, char **arguments)
{
    char line[16];
    const struct channel *it = NULL;
    for (size_t i = 0; count > 2 && i < sizeof channels / sizeof *channels; i++)
        if (!strcmp(channels[i].name, arguments[1]))
            it = &channels[i];
    int numbers = count > 2 && !strcmp(arguments[1], "numbers");
    if (!it && !numbers) {
        for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
            puts(channels[i].name);
        return 0;
    }
    files = arguments + 3, file_count = count - 3;
    pairs = numbers && file_count && strstr(files[0], "socketpair");
    memory_files = numbers && file_count && strstr(files[0], "memfd_create");
    if (numbers && file_count == 3) {
        server = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(files[2]))};
        server.sin_addr.s_addr = inet_addr(files[1]);
    }
    while (fgets(line, sizeof line, stdin)) {
        if (numbers && line[0] == 'r')
            tell_numbers();
        else if (numbers)
            count_on(line[0] == '1'), puts("ok");
        else if (line[0] == 'r')
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
