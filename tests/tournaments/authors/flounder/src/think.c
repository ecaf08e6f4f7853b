#include "flounder.h"
#include <stdlib.h>
#include <string.h>

int number(const char *message, const char *key)
{
    const char *found = strstr(message, key);

    return found ? atoi(found + strlen(key)) : 0;
}

/* The hand comes sorted, highest first. */
int card_to_play(const char *message)
{
    return number(message, "\"hand\":[");
}
