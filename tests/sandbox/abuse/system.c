/* Run a command.
   expect: violation clone another process
*/
#define _GNU_SOURCE
#include <stdlib.h>

int main(void)
{
    return system("id");
}
