/* The first part of an AppImage of type 2: a static program with a squashfs image appended to it.
 *
 * It mounts the image with FUSE and replaces itself by AppRun in it. Where FUSE is missing, it unpacks the image into
 * a temporary folder, runs AppRun there and removes the folder afterwards.
 *
 *   --appimage-offset            print where the image begins
 *   --appimage-extract           unpack into ./squashfs-root
 *   --appimage-extract-and-run   do not try FUSE
 */
#define _GNU_SOURCE
#define FUSE_USE_VERSION 32
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#undef _POSIX_C_SOURCE /* squashfuse defines its own */
#include <squashfuse/ll.h>
#include <squashfuse/squashfuse.h>

static const char *self;  /* the path of this file */
static size_t offset;     /* where the image begins: after the program's section headers */
static char temporary[PATH_MAX]; /* the folder that the image is unpacked to; empty: none */

/* squashfuse can read LZO too, whose library is under the GPL and is not linked: the image is compressed with zstd. */
int lzo1x_decompress_safe(void);
int lzo1x_decompress_safe(void) {
    return -1;
}

static int remove_entry(const char *path, const struct stat *state, int kind, struct FTW *walk) {
    (void)state, (void)kind, (void)walk;
    return remove(path);
}

static void remove_temporary(void) {
    if (*temporary)
        nftw(temporary, remove_entry, 32, FTW_DEPTH | FTW_PHYS);
}

static void die(const char *what) {
    fprintf(stderr, "AppImage: %s: %s\n", what, strerror(errno));
    remove_temporary();
    exit(127);
}

static size_t image_offset(void) {
    Elf64_Ehdr header;
    int file = open(self, O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, &header, sizeof header) != sizeof header)
        die(self);
    close(file);
    return header.e_shoff + (size_t)header.e_shentsize * header.e_shnum;
}

/* -- mounting ---------------------------------------------------------------------------------------------- */

static struct fuse_lowlevel_ops operations = {
    .getattr = sqfs_ll_op_getattr,
    .opendir = sqfs_ll_op_opendir,
    .releasedir = sqfs_ll_op_releasedir,
    .readdir = sqfs_ll_op_readdir,
    .lookup = sqfs_ll_op_lookup,
    .open = sqfs_ll_op_open,
    .release = sqfs_ll_op_release,
    .read = sqfs_ll_op_read,
    .readlink = sqfs_ll_op_readlink,
    .forget = sqfs_ll_op_forget,
    .statfs = stfs_ll_op_statfs,
};

/* Answer the kernel's questions until the last process that holds the other end of `alive` has ended.
 * Writes one byte to `ready` once the image is mounted; closes it without one if it cannot be mounted. */
static void serve(const char *folder, int ready, int alive) {
    char *arguments[] = {"digitlab", "-oro,nosuid,nodev,fsname=digitlab", NULL};
    struct fuse_args args = FUSE_ARGS_INIT(2, arguments);
    struct fuse_buf buffer = {0};
    sqfs_ll_chan channel = {0};
    sqfs_ll *image = calloc(1, sizeof *image);

    if (!image || sqfs_open_image(&image->fs, self, offset) || sqfs_ll_init(image))
        _exit(1);
    if (sqfs_ll_mount(&channel, folder, &args, &operations, sizeof operations, image))
        _exit(1);
    if (write(ready, "1", 1) != 1)
        _exit(1);
    close(ready);
    struct pollfd waits[] = {{fuse_session_fd(channel.session), POLLIN, 0}, {alive, 0, 0}};
    while (!fuse_session_exited(channel.session)) {
        if (poll(waits, 2, -1) < 0 && errno != EINTR)
            break;
        if (waits[1].revents)
            break;
        if (waits[0].revents) {
            int size = fuse_session_receive_buf(channel.session, &buffer);
            if (size == -EINTR)
                continue;
            if (size <= 0)
                break;
            fuse_session_process_buf(channel.session, &buffer);
        }
    }
    sqfs_ll_unmount(&channel, folder);
    rmdir(folder);
    _exit(0);
}

/* Mount the image at `folder`, served by a process of its own; returns 0 where that is not possible. */
static int mount_image(const char *folder) {
    int ready[2], alive[2];
    char byte;
    if (pipe(ready) || pipe(alive))
        die("pipe");
    pid_t child = fork();
    if (child == 0) {
        /* A grandchild, so that the program gets no child that it did not start. */
        if (fork() == 0) {
            setsid();
            close(ready[0]);
            close(alive[1]);
            int nothing = open("/dev/null", O_RDWR);
            for (int stream = 0; nothing >= 0 && stream < 3; stream++)
                dup2(nothing, stream);
            serve(folder, ready[1], alive[0]);
        }
        _exit(0);
    }
    close(ready[1]);
    close(alive[0]);
    waitpid(child, NULL, 0);
    int mounted = read(ready[0], &byte, 1) == 1;
    close(ready[0]);
    if (!mounted)
        close(alive[1]);
    return mounted; /* alive[1] stays open until the program ends */
}

/* -- unpacking --------------------------------------------------------------------------------------------- */

static void unpack_file(sqfs *fs, sqfs_inode *inode, const char *path, mode_t mode) {
    static char block[1 << 20];
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0)
        die(path);
    for (sqfs_off_t at = 0; at < (sqfs_off_t)inode->xtra.reg.file_size;) {
        sqfs_off_t size = sizeof block;
        if (sqfs_read_range(fs, inode, at, &size, block) || size <= 0) {
            errno = EIO;
            die(path);
        }
        for (sqfs_off_t written = 0; written < size;) {
            ssize_t done = write(file, block + written, size - written);
            if (done < 0)
                die(path);
            written += done;
        }
        at += size;
    }
    /* The time is part of the stamp of cached machine code. */
    struct timespec times[2] = {{inode->base.mtime, 0}, {inode->base.mtime, 0}};
    futimens(file, times);
    if (close(file))
        die(path);
}

static void unpack(const char *folder) {
    sqfs fs;
    sqfs_traverse walk;
    sqfs_err error = SQFS_OK;
    if (sqfs_open_image(&fs, self, offset) || sqfs_traverse_open(&walk, &fs, sqfs_inode_root(&fs)))
        die(self);
    while (sqfs_traverse_next(&walk, &error)) {
        if (walk.dir_end)
            continue;
        char path[PATH_MAX], target[PATH_MAX];
        size_t size = sizeof target;
        sqfs_inode inode;
        if (snprintf(path, sizeof path, "%s/%s", folder, walk.path) >= (int)sizeof path ||
            sqfs_inode_get(&fs, &inode, sqfs_dentry_inode(&walk.entry))) {
            errno = EIO;
            die(walk.path);
        }
        mode_t mode = inode.base.mode;
        if (S_ISDIR(mode)) {
            if (mkdir(path, 0755))
                die(path);
        } else if (S_ISLNK(mode)) {
            if (sqfs_readlink(&fs, &inode, target, &size) || symlink(target, path))
                die(path);
        } else if (S_ISREG(mode)) {
            unpack_file(&fs, &inode, path, mode & 0777);
        }
    }
    if (error) {
        errno = EIO;
        die(self);
    }
}

static pid_t program;

static void pass_on(int number) {
    if (program > 0)
        kill(program, number);
}

/* -- running ----------------------------------------------------------------------------------------------- */

static void run(const char *folder, char **arguments) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/AppRun", folder);
    setenv("APPDIR", folder, 1);
    execv(path, arguments);
    die(path);
}

/* Unpack, run and remove. Returns the exit code of the program. */
static int run_unpacked(char **arguments) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const char *base = getenv("TMPDIR");
    char folder[PATH_MAX];
    int state = 0;
    snprintf(folder, sizeof folder, "%s/appimage_extracted_XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder))
        die(folder);
    strcpy(temporary, folder);
    unpack(folder);
    program = fork();
    if (program == 0) {
        *temporary = 0; /* the parent removes it */
        run(folder, arguments);
    }
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++)
        signal(signals[index], pass_on);
    while (waitpid(program, &state, 0) < 0 && errno == EINTR)
        ;
    remove_temporary();
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

int main(int count, char **arguments) {
    static char path[PATH_MAX], directory[PATH_MAX], folder[] = "/tmp/.mount_DigitLabXXXXXX";
    const char *option = count > 1 ? arguments[1] : "";
    int try_fuse = !getenv("APPIMAGE_EXTRACT_AND_RUN");

    if (!realpath("/proc/self/exe", path))
        die("/proc/self/exe");
    self = path;
    offset = image_offset();
    if (!strcmp(option, "--appimage-offset")) {
        printf("%zu\n", offset);
        return 0;
    }
    if (!strcmp(option, "--appimage-extract")) {
        if (mkdir("squashfs-root", 0755))
            die("squashfs-root");
        unpack("squashfs-root");
        return 0;
    }
    if (!strcmp(option, "--appimage-extract-and-run")) {
        try_fuse = 0;
        arguments[1] = arguments[0];
        arguments++;
    }
    setenv("APPIMAGE", self, 1);
    setenv("ARGV0", arguments[0], 1);
    if (getcwd(directory, sizeof directory))
        setenv("OWD", directory, 1);
    if (try_fuse && access("/dev/fuse", R_OK | W_OK) == 0 && mkdtemp(folder)) {
        if (mount_image(folder))
            run(folder, arguments);
        rmdir(folder);
    }
    return run_unpacked(arguments);
}
