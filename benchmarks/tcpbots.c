/* The baseline of benchmarks/barracuda.py, and its crowd of clients.
 *
 *   tcpbots ping COUNT                 prints the nanoseconds of COUNT bare round trips over loopback between two
 *                                      processes, as long as a request of Barracuda and its answer
 *   tcpbots HOST PORT                  a client of a contest server that plays its highest card at once
 *   tcpbots crowd PORT CLIENTS         so many clients of a contest server at that port, each a process with its own
 *                                      address, until killed
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST = 350, ANSWER = 90 };

static int whole(int fd, char *data, size_t size)
{
    while (size) {
        ssize_t got = read(fd, data, size);
        if (got <= 0)
            return 0;
        data += got;
        size -= (size_t)got;
    }
    return 1;
}

static int tcp(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

static int ping(long count)
{
    static char request[REQUEST], answer[ANSWER];
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    struct timespec begin, end;
    int listener = tcp(), fd;

    if (bind(listener, (struct sockaddr *)&place, sizeof place) || listen(listener, 1))
        return 1;
    getsockname(listener, (struct sockaddr *)&place, &size);
    if (fork() == 0) {
        fd = tcp();
        if (connect(fd, (struct sockaddr *)&place, sizeof place))
            return 1;
        while (whole(fd, request, sizeof request))
            if (write(fd, answer, sizeof answer) != sizeof answer)
                return 1;
        return 0;
    }
    fd = accept(listener, NULL, NULL);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    for (long i = -10; i < count; i++) {
        if (i == 0)
            clock_gettime(CLOCK_MONOTONIC, &begin);
        if (write(fd, request, sizeof request) != sizeof request || !whole(fd, answer, sizeof answer))
            return 1;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%lld\n", (end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec);
    return 0;
}

/* Plays its highest card at once. Only the last message that came can be a request. */
static int client(const char *host, int port, int source)
{
    static char data[1 << 16];
    struct sockaddr_in mine = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK + 256 + source)};
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    size_t start = 0, end = 0;
    int fd = tcp();

    inet_pton(AF_INET, host, &place.sin_addr);
    if ((source >= 0 && bind(fd, (struct sockaddr *)&mine, sizeof mine)) || connect(fd, (void *)&place, sizeof place))
        return 1;
    for (;;) {
        ssize_t got = read(fd, data + end, sizeof data - 1 - end);
        uint32_t length;
        const char *last = NULL;
        if (got <= 0)
            return 0;
        end += (size_t)got;
        data[end] = 0;
        for (start = 0; end - start >= 4; start += 4 + length) {
            memcpy(&length, data + start, 4);
            length = ntohl(length);
            if (end - start < 4 + length)
                break;
            last = data + start + 4;
        }
        if (last && strncmp(last, "{\"type\":\"request\"", 17) == 0) {
            char move[200] = {0};
            int offered = strncmp(last + 18, "\"request\":\"challenge", 20) == 0, size;
            long id = atol(strstr(last, "\"request_id\":") + 13);
            size = sprintf(move + 4, "{\"type\":\"move\",\"request_id\":%ld,\"response\":{\"type\":\"%s\"", id,
                           offered ? "reject_challenge" : "play_card");
            if (!offered)
                size += sprintf(move + 4 + size, ",\"card\":%d", atoi(strstr(last, "\"hand\":[") + 8));
            size += sprintf(move + 4 + size, "}}");
            length = htonl((uint32_t)size);
            memcpy(move, &length, 4);
            if (write(fd, move, 4 + (size_t)size) != 4 + size)
                return 1;
        }
        memmove(data, data + start, end -= start);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "ping") == 0)
        return ping(atol(argv[2]));
    if (argc == 3)
        return client(argv[1], atoi(argv[2]), -1);
    if (argc != 4 || strcmp(argv[1], "crowd"))
        return 2;
    for (int number = 0; number < atoi(argv[3]); number++)
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            return client("127.0.0.1", atoi(argv[2]), number);
        }
    while (wait(NULL) > 0)
        ;
    return 0;
}
