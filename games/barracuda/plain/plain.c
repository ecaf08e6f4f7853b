/* Speaks the protocol of Barracuda without a kit: plays its highest card, and rejects every challenge. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int receive(int server, char *data, size_t size)
{
    while (size) {
        ssize_t count = read(server, data, size);
        if (count <= 0)
            return 0;
        data += count;
        size -= (size_t)count;
    }
    return 1;
}

static int number_after(const char *message, const char *key)
{
    const char *found = strstr(message, key);
    return found ? atoi(found + strlen(key)) : 0;
}

int main(int argc, char **argv)
{
    static char message[65537], answer[256];
    struct sockaddr_in place = {.sin_family = AF_INET};
    int server = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    uint32_t size;

    if (argc < 3 || inet_pton(AF_INET, argv[1], &place.sin_addr) != 1)
        return 1;
    place.sin_port = htons((uint16_t)atoi(argv[2]));
    if (connect(server, (struct sockaddr *)&place, sizeof place))
        return 1;
    setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    while (receive(server, (char *)&size, 4) && (size = ntohl(size)) < sizeof message && receive(server, message, size)) {
        message[size] = '\0';
        if (strstr(message, "\"type\":\"error\",\"seen_host\""))
            return 1;
        if (!strstr(message, "\"type\":\"request\""))
            continue;
        int length = sprintf(answer + 4, "{\"type\":\"move\",\"request_id\":%d,\"response\":",
            number_after(message, "\"request_id\":"));
        length += strstr(message, "challenge_offered")
            ? sprintf(answer + 4 + length, "{\"type\":\"reject_challenge\"}}")
            : sprintf(answer + 4 + length, "{\"type\":\"play_card\",\"card\":%d}}", number_after(message, "\"hand\":["));
        uint32_t header = htonl((uint32_t)length);
        memcpy(answer, &header, 4);
        if (write(server, answer, (size_t)length + 4) < 0)
            return 1;
    }
    return 0;
}
