#include "cards/hand.h"
#include "line.h"
#include <iostream>

int main()
{
    Line line("cuda.contest", "9999");
    std::string message;

    while (line.hear(message)) {
        if (message.find("\"type\":\"request\"") == std::string::npos)
            continue;
        std::string response = "{\"type\":\"reject_challenge\"}";
        if (message.find("\"request\":\"request_card\"") != std::string::npos)
            response = "{\"type\":\"play_card\",\"card\":" + std::to_string(Hand(message).lowest()) + "}";
        std::string id = std::to_string(number(message, "\"request_id\":"));
        line.say("{\"type\":\"move\",\"request_id\":" + id + ",\"response\":" + response + "}");
    }
    std::cerr << "the line is closed\n";
}
