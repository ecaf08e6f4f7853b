/* Open the host's root folder by its number: how containers were broken out of.
   expect: violation open_by_handle_at
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>

int main(void)
{
    struct file_handle *handle = calloc(1, sizeof *handle + 8);
    handle->handle_bytes = 8, handle->handle_type = 1, handle->f_handle[0] = 2;
    return open_by_handle_at(0, handle, O_RDONLY);
}
