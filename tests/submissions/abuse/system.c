/* Run a command.
   expect: violation clone
*/
#define _GNU_SOURCE
#include <stdlib.h>

int main(void)
{
    return system("id");
}
