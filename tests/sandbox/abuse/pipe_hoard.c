/* Hoard descriptors.
   expect: exit 0
   prints: 16 pipes
*/
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int ends[2], made = 0;
    while (made < 100000 && pipe(ends) == 0)
        made++;
    printf("%d pipes\n", made);
    return 0;
}
