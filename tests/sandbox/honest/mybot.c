/* What an honest bot uses of its library. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static jmp_buf back;
static void late(int number) { (void)number; }
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void)
{
    static char line[1 << 16];
    unsigned seed = 0;
    struct timespec now;
    struct rusage used;
    int cards[52], ends[2];
    time_t today = time(NULL);
    setlocale(LC_ALL, "");
    setvbuf(stdout, NULL, _IONBF, 0);
    clock_gettime(CLOCK_REALTIME, &now);
    gettimeofday(&(struct timeval){0}, NULL);
    getrusage(RUSAGE_SELF, &used);
    tzset();
    if (!localtime(&today) || !gmtime(&today) || !getenv("HOME") == !getenv("PATH"))
        fputs("a small world\n", stderr);
    int random_source = open("/dev/urandom", O_RDONLY);
    if (random_source < 0 || read(random_source, &seed, sizeof seed) != sizeof seed || getrandom(&seed, 4, 0) != 4)
        return 2;
    srand(seed ^ (unsigned)getpid() ^ (unsigned)clock());
    for (int i = 0; i < 52; i++)
        cards[i] = rand() % 52;
    qsort(cards, 52, sizeof *cards, by_value);
    signal(SIGALRM, late);
    ualarm(1000, 0);
    pause();
    usleep(100);
    if (!setjmp(back))
        longjmp(back, 1);
    if (pipe(ends) || access("weights.bin", R_OK) == 0 || sysconf(_SC_NPROCESSORS_ONLN) < 1 || sqrt(cards[51]) < 0)
        return 3;
    while (fgets(line, sizeof line, stdin))
        for (char *word = strtok(line, " \r\n"); word; word = strtok(NULL, " \r\n"))
            *word = (char)toupper(*word);
    isatty(0);
    puts("ok");
    return 0;
}
