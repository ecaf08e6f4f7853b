/* Climb out of the working folder.
   expect: violation openat /etc/shadow
*/
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    return fopen("../../../../../../etc/shadow", "r") != NULL;
}
