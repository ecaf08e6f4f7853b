/* How much is in the writable folder of a build, if it is not a file system of its own. */
#include "jail.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BLOCK = 4096, DEEPEST = 64 };
struct entry { uint64_t number; int64_t next; uint16_t size; uint8_t kind; char name[]; };

uint64_t scratch_limit;

static uint64_t size_below(int folder, int depth)
{
    _Alignas(struct entry) char list[8192];
    uint64_t all = 0;
    if (folder < 0)
        return errno == ENOENT ? 0 : scratch_limit + 1; /* just deleted; or hidden from us */
    for (long size; all <= scratch_limit && (size = syscall(SYS_getdents64, folder, list, sizeof list)) > 0;)
        for (long at = 0; at < size; at += ((struct entry *)(list + at))->size) {
            const struct entry *it = (struct entry *)(list + at);
            struct stat about;
            if (!strcmp(it->name, ".") || !strcmp(it->name, "..") ||
                syscall(SYS_newfstatat, folder, it->name, &about, AT_SYMLINK_NOFOLLOW, (long)secret[1], (long)secret[0]))
                continue;
            uint64_t held = 512 * (uint64_t)about.st_blocks;
            all += held > BLOCK ? held : BLOCK; /* many empty files fill a disk too */
            if (S_ISDIR(about.st_mode))
                all += depth == DEEPEST ? scratch_limit
                                        : size_below(open_ours(folder, it->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
                                                                                     O_CLOEXEC), depth + 1);
        }
    close(folder);
    return all;
}

/* Whether it holds more than it may. Deleted files that are still open are not seen. */
int overflowing(void)
{
    return size_below(open_ours(AT_FDCWD, box, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0) > scratch_limit;
}
