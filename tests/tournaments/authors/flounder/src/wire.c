#define _POSIX_C_SOURCE 200809L
#include "flounder.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int dial(const char *host, const char *port)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found, *each;
    int line = -1;

    if (getaddrinfo(host, port, &hints, &found))
        return -1;
    for (each = found; each && line < 0; each = each->ai_next) {
        line = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
        if (line >= 0 && connect(line, each->ai_addr, each->ai_addrlen)) {
            close(line);
            line = -1;
        }
    }
    freeaddrinfo(found);
    return line;
}

static int fill(int line, char *data, size_t size)
{
    ssize_t count;

    for (; size; data += count, size -= (size_t)count)
        if ((count = read(line, data, size)) <= 0)
            return 0;
    return 1;
}

int hear(int line, char *message, unsigned size)
{
    uint32_t length;

    if (!fill(line, (char *)&length, 4) || (length = ntohl(length)) >= size || !fill(line, message, length))
        return 0;
    message[length] = '\0';
    return 1;
}

int say(int line, const char *message)
{
    char data[512];
    uint32_t length = (uint32_t)strlen(message), header = htonl(length);

    memcpy(data, &header, 4);
    memcpy(data + 4, message, length);
    return write(line, data, length + 4) == (ssize_t)length + 4;
}
