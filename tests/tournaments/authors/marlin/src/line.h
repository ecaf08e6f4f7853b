#pragma once
#include <string>

class Line {
public:
    Line(const std::string &host, const std::string &port);
    bool hear(std::string &message);
    void say(const std::string &message);

private:
    bool fill(char *data, size_t size);
    int line = -1;
};
