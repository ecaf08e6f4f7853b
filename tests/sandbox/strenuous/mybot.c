/* Works hard: much input, garbage, errors, the time, much output. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void)
{
    static char piece[1 << 16], line[64];
    size_t size = 0, n;
    setlocale(LC_ALL, "");
    while ((n = fread(piece, 1, sizeof piece, stdin)) > 0)
        size += n;
    for (int i = 0; i < 20000; i++) {
        char *garbage = malloc(1000 + i % 5000);
        if (!garbage)
            return 2;
        memset(garbage, i, 1000);
        free(garbage);
        errno = 0;
        if (strtol("99999999999999999999", NULL, 10) && errno != ERANGE)
            return 3;
    }
    time_t now = time(NULL);
    strftime(line, sizeof line, "%c %Z", localtime(&now));
    fprintf(stderr, "%s\n", line);
    for (int i = 0; i < 3000; i++)
        printf("%063d\n", i);
    printf("ok %zu\n", size);
    return 0;
}
