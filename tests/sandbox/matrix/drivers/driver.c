/* Makes the system calls that it is told on standard input. Also valid C++. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static unsigned char memory[1 << 16] __attribute__((aligned(4096)));
static long results[4096];

static long value(const char *word)
{
    char *rest;
    if (!word)
        return 0;
    if (*word == 'm')
        return (long)memory + atol(word + 1);
    if (*word == 'r') {
        long result = results[strtol(word + 1, &rest, 10)];
        return *rest == '+' && result >= 0 ? result + atol(rest + 1) : result;
    }
    return strtol(word, NULL, 10);
}

/* Of the processor: on a busy machine an attack thinks as much as on a quiet one. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A call by the gate of 32-bit programs. */
static long by_int80(long number)
{
#if defined(__x86_64__)
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(0), "c"(0), "d"(0) : "memory", "r8", "r9", "r10", "r11");
    return (int)result;
#else
    return -ENOSYS;
#endif
}

int main(void)
{
    static char line[1 << 17];
    int calls = 0, times = 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        const char *op = strtok(line, " \n"), *words[7] = {0};
        for (int i = 0; i < 7; i++)
            words[i] = strtok(NULL, " \n");
        if (!op || *op == 'e')
            break;
        switch (*op) {
        case 'w':
            for (size_t i = 0; words[1] && words[1][2 * i]; i++)
                sscanf(words[1] + 2 * i, "%2hhx", &memory[(size_t)atol(words[0]) + i]);
            break;
        case 'p':
        case 'q': {
            long number = *op == 'p' ? (long)memory + atol(words[1]) : results[atol(words[1])];
            memcpy(memory + atol(words[0]), &number, sizeof number);
            break;
        }
        case 'n':
            times = atoi(words[0]);
            break;
        case 'c': {
            long a[7], result = 0;
            for (int i = 0; i < 7; i++)
                a[i] = value(words[i]);
            for (; times > 0; times--)
                result = syscall(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
            results[++calls] = result == -1 ? -errno : result;
            times = 1;
            printf("c %d %ld\n", calls, results[calls]);
            break;
        }
        case 'i':
            results[++calls] = by_int80(atol(words[0]));
            printf("c %d %ld\n", calls, results[calls]);
            break;
        case 'd':
            printf("d ");
            for (long i = atol(words[0]), end = i + atol(words[1]); i < end; i++)
                printf("%02x", memory[i]);
            printf("\n");
            break;
        case 'b':
            for (double until = seconds() + 1e-3 * atof(words[0]); seconds() < until;)
                ;
            break;
        case 'h':
            printf("held\n");
            if (!fgets(line, sizeof line, stdin))
                return 0;
        }
    }
    puts("end");
    return 0;
}
