#include "flounder.h"
#include <stdio.h>
#include <string.h>

int main(void)
{
    static char message[65537], answer[256];
    int line = dial("cuda.contest", "9999");

    if (line < 0) {
        perror("cuda.contest");
        return 1;
    }
    while (hear(line, message, sizeof message)) {
        char response[64] = "{\"type\":\"reject_challenge\"}";

        if (!strstr(message, "\"type\":\"request\""))
            continue;
        if (strstr(message, "\"request\":\"request_card\""))
            sprintf(response, "{\"type\":\"play_card\",\"card\":%d}", card_to_play(message));
        sprintf(answer, "{\"type\":\"move\",\"request_id\":%d,\"response\":%s}", number(message, "\"request_id\":"),
            response);
        say(line, answer);
    }
    return 0;
}
