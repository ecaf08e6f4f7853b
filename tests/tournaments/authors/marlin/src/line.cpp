#include "line.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

Line::Line(const std::string &host, const std::string &port)
{
    addrinfo hints = {}, *found;
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found))
        throw std::runtime_error("who is " + host + "?");
    for (auto each = found; each && line < 0; each = each->ai_next) {
        line = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
        if (line >= 0 && connect(line, each->ai_addr, each->ai_addrlen)) {
            close(line);
            line = -1;
        }
    }
    freeaddrinfo(found);
}

bool Line::fill(char *data, size_t size)
{
    for (ssize_t count; size; data += count, size -= count)
        if ((count = read(line, data, size)) <= 0)
            return false;
    return true;
}

bool Line::hear(std::string &message)
{
    uint32_t length;
    if (!fill(reinterpret_cast<char *>(&length), 4))
        return false;
    message.resize(ntohl(length));
    return fill(&message[0], message.size());
}

void Line::say(const std::string &message)
{
    uint32_t length = htonl(message.size());
    std::string data = std::string(reinterpret_cast<char *>(&length), 4) + message;
    if (write(line, data.data(), data.size()) != static_cast<ssize_t>(data.size()))
        throw std::runtime_error("nobody listens");
}
