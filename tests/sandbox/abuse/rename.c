/* Rename a file.
   expect: violation rename /box/bot
*/
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    return rename("/box/bot", "/box/notes");
}
