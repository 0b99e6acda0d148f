/*
 * Launches one agent and records how it ended, also when the runtime that asked for it is long gone. The same program as
 * launcher.sh, word for word and note for note, for containment "session"; the tests hold both to one contract.
 *
 *   launcher record FOLDER NONCE DATA INPUT FATE SIGNAL GRACE TOOLS CGROUP ENTER PROC WORD...
 *   launcher version
 *   launcher landlock
 *   launcher confine ABI NETWORK RULES MOUNTS WORD...
 *   launcher hold
 *
 * "landlock" prints the version of the kernel's Landlock, 0 where there is none. "confine" executes the words in a sandbox or
 * not at all: ABI is the oldest Landlock that may hold it, NETWORK is "on" or "off", RULES are lines of a letter and a path:
 * r to read and execute, w for everything below, f to read and write a file or device that exists. MOUNTS is empty, or the
 * command of bubblewrap, a word a line, whose last words are this program and "hold": it makes a mount namespace, which we
 * enter, and is gone before the words are executed. So no process is between us and the agent.
 *
 * FOLDER is the step's, INPUT becomes the agent's standard input. FATE is "keep" or "kill": with "kill" the agent's tree
 * ends with the runtime, which holds the other end of our standard input for as long as it lives; SIGNAL and GRACE (in
 * milliseconds) say how. CGROUP is the folder of a control group for the agent, or empty. TOOLS is the script's alone.
 * ENTER and PROC are for namespaces, which the script does: ENTER must be empty.
 *
 * Exits: 0 when the end was recorded as well as it could be, 75 when another launcher has the step, 74 when the claim
 * could not be written, 64 for words that are none of these.
 *
 * No C library and no writable data: one page of text that all launchers share, and a little stack. It neither allocates
 * nor waits without an end, but for the agent. Built by build.sh beside it.
 */

typedef unsigned char u8;
typedef unsigned long u64;

/* ---- the kernel ---- */

#if defined(__x86_64__)
enum {
    NR_read = 0, NR_write = 1, NR_close = 3, NR_lseek = 8, NR_rt_sigaction = 13, NR_rt_sigprocmask = 14,
    NR_nanosleep = 35, NR_getpid = 39, NR_clone = 56, NR_execve = 59, NR_exit_group = 231, NR_wait4 = 61, NR_kill = 62,
    NR_getcwd = 79, NR_setsid = 112, NR_getdents64 = 217, NR_waitid = 247, NR_openat = 257, NR_newfstatat = 262, NR_dup3 = 292,
    NR_prlimit64 = 302, NR_fstat = 5, NR_capset = 126, NR_prctl = 157, NR_pipe2 = 293, NR_setns = 308, NR_chdir = 80
};
#define STAT_MODE 24
#elif defined(__aarch64__)
enum {
    NR_read = 63, NR_write = 64, NR_close = 57, NR_lseek = 62, NR_rt_sigaction = 134, NR_rt_sigprocmask = 135,
    NR_nanosleep = 101, NR_getpid = 172, NR_clone = 220, NR_execve = 221, NR_exit_group = 94, NR_wait4 = 260,
    NR_kill = 129, NR_getcwd = 17, NR_setsid = 157, NR_getdents64 = 61, NR_waitid = 95, NR_openat = 56, NR_newfstatat = 79,
    NR_dup3 = 24, NR_prlimit64 = 261, NR_fstat = 80, NR_capset = 91, NR_prctl = 167, NR_pipe2 = 59, NR_setns = 268, NR_chdir = 49
};
#define STAT_MODE 16
#else
#error "only x86_64 and aarch64; elsewhere the script is used"
#endif
/* The same everywhere. */
enum { NR_pidfd_open = 434, NR_clone3 = 435, NR_close_range = 436, NR_landlock_create_ruleset = 444, NR_landlock_add_rule = 445, NR_landlock_restrict_self = 446 };

static long call(long number, long a, long b, long c, long d, long e) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
    return x0;
#endif
}

enum { ENOENT = 2, EINTR = 4, ENOEXEC = 8, EACCES = 13, ENOTDIR = 20, EINVAL = 22, ENAMETOOLONG = 36, ELOOP = 40 };
enum { AT_FDCWD = -100 };
enum { O_RDONLY = 0, O_WRONLY = 1, O_CREAT = 0100, O_EXCL = 0200, O_TRUNC = 01000, O_APPEND = 02000, O_CLOEXEC = 02000000 };
enum { RLIMIT_NOFILE = 7 };
enum { SEEK_END = 2, S_IFMT = 0170000, S_IFREG = 0100000 };
enum { SIGKILL = 9, SIGPIPE = 13, SIGCHLD = 17, SIG_SETMASK = 2, SIGNALS = 64 };
enum { EXIT_USAGE = 64, EXIT_UNWRITABLE = 74, EXIT_CLAIMED = 75, EXIT_FILES = 125, EXIT_REFUSED = 126, EXIT_ABSENT = 127 };

static int openAt(const char *path, int flags) { return (int) call(NR_openat, AT_FDCWD, (long) path, flags | O_CLOEXEC, 0600, 0); }
static void closeFile(int file) { call(NR_close, file, 0, 0, 0, 0); }
static long readFile(int file, void *buffer, u64 size) {
    long got;
    do {
        got = call(NR_read, file, (long) buffer, (long) size, 0, 0);
    } while (got == -EINTR);
    return got;
}
static long writeFile(int file, const void *bytes, u64 size) {
    long put;
    do {
        put = call(NR_write, file, (long) bytes, (long) size, 0, 0);
    } while (put == -EINTR);
    return put;
}
static void quit(int status) __attribute__((noreturn));
static void quit(int status) {
    for (;;) {
        call(NR_exit_group, status, 0, 0, 0, 0);
    }
}
static void sleepMillis(long millis) {
    long wish[2] = {millis / 1000, millis % 1000 * 1000000};
    call(NR_nanosleep, (long) wish, 0, 0, 0, 0);
}

/* ---- text ---- */

/* The compiler may call these by itself. */
void *memcpy(void *to, const void *from, u64 size) {
    for (u64 at = 0; at < size; at++) {
        ((u8 *) to)[at] = ((const u8 *) from)[at];
    }
    return to;
}
void *memset(void *to, int value, u64 size) {
    for (u64 at = 0; at < size; at++) {
        ((u8 *) to)[at] = (u8) value;
    }
    return to;
}

static int same(const char *one, const char *other) {
    while (*one && *one == *other) {
        one++;
        other++;
    }
    return *one == *other;
}
static const char *after(const char *text, const char *beginning) {
    while (*beginning) {
        if (*text++ != *beginning++) {
            return 0;
        }
    }
    return text;
}
static int contains(const char *text, char wanted) {
    for (; *text; text++) {
        if (*text == wanted) {
            return 1;
        }
    }
    return 0;
}
static long number(const char *digits) {
    long value = 0;
    while (*digits >= '0' && *digits <= '9') {
        value = value * 10 + (*digits++ - '0');
    }
    return value;
}

/* A text that is put together in a space of the caller's; what does not fit makes it "full", and it is not used then. */
struct text {
    char *bytes;
    u64 size, used;
    int full;
};
static void put(struct text *text, const char *more) {
    for (; *more; more++) {
        if (text->used + 1 >= text->size) {
            text->full = 1;
            return;
        }
        text->bytes[text->used++] = *more;
    }
    text->bytes[text->used] = 0;
}
static void putNumber(struct text *text, long value) {
    char digits[24];
    int at = sizeof digits - 1;
    digits[at] = 0;
    do {
        digits[--at] = (char) ('0' + value % 10);
        value /= 10;
    } while (value > 0);
    put(text, digits + at);
}
#define TEXT(name, room) \
    char name##Bytes[room]; \
    name##Bytes[0] = 0; \
    struct text name = {name##Bytes, room, 0, 0}

/* ---- files ---- */

enum { PATH_ROOM = 4352, LINE_ROOM = 512, STAT_ROOM = 1024, CHUNK = 4096 };

/* The file of this name in the folder; negative when it cannot be opened so. */
static int openIn(const char *folder, const char *name, int flags) {
    TEXT(path, PATH_ROOM);
    put(&path, folder);
    put(&path, "/");
    put(&path, name);
    return path.full ? -ENAMETOOLONG : openAt(path.bytes, flags);
}
static int exists(const char *folder, const char *name) {
    int file = openIn(folder, name, O_RDONLY);
    if (file >= 0) {
        closeFile(file);
    }
    return file >= 0;
}
static int filled(const char *folder, const char *name) {
    int file = openIn(folder, name, O_RDONLY);
    if (file < 0) {
        return 0;
    }
    int some = call(NR_lseek, file, 0, SEEK_END, 0, 0) > 0;
    closeFile(file);
    return some;
}
static void touch(const char *folder, const char *name) {
    int file = openIn(folder, name, O_WRONLY | O_CREAT | O_TRUNC);
    if (file >= 0) {
        closeFile(file);
    }
}
/* In one write. Whether all of it was written. */
static int note(const char *folder, const char *name, int how, const struct text *line) {
    int file = openIn(folder, name, O_WRONLY | O_CREAT | how);
    if (file < 0) {
        return 0;
    }
    long put = writeFile(file, line->bytes, line->used);
    closeFile(file);
    return put == (long) line->used;
}
static int regular(const char *path) {
    u64 facts[32];
    if (call(NR_newfstatat, AT_FDCWD, (long) path, (long) facts, 0, 0) != 0) {
        return 0;
    }
    return (*(unsigned *) ((u8 *) facts + STAT_MODE) & S_IFMT) == S_IFREG;
}
static int sameFile(const char *one, const char *other) {
    u64 facts[32], others[32];
    return call(NR_newfstatat, AT_FDCWD, (long) one, (long) facts, 0, 0) == 0
        && call(NR_newfstatat, AT_FDCWD, (long) other, (long) others, 0, 0) == 0
        && facts[0] == others[0] && facts[1] == others[1];
}
/* The beginning of a small file as a text; whether there was one. */
static int load(const char *path, char *space, u64 size) {
    int file = openAt(path, O_RDONLY);
    if (file < 0) {
        return 0;
    }
    long got = readFile(file, space, size - 1);
    closeFile(file);
    space[got > 0 ? got : 0] = 0;
    return got > 0;
}

/* ---- processes ---- */

/* Behind the name of the program, which may hold anything: from the state on, field 3. */
static const char *facts(const char *stat) {
    const char *behind = 0;
    for (; *stat; stat++) {
        if (stat[0] == ')' && stat[1] == ' ') {
            behind = stat + 2;
        }
    }
    return behind;
}
static const char *field(const char *from, int skipped) {
    while (skipped > 0 && *from) {
        if (*from++ == ' ') {
            skipped--;
        }
    }
    return from;
}

/* Who this process is, as the mounted /proc sees it. The start time is field 22. */
static int identity(struct text *line) {
    char stat[STAT_ROOM], boot[64];
    if (!load("/proc/self/stat", stat, sizeof stat) || !load("/proc/sys/kernel/random/boot_id", boot, sizeof boot)) {
        return 0;
    }
    const char *rest = facts(stat);
    if (!rest) {
        return 0;
    }
    for (char *end = boot; *end; end++) {
        if (*end == '\n') {
            *end = 0;
            break;
        }
    }
    put(line, "{\"pid\":");
    putNumber(line, number(stat));
    put(line, ",\"startTicks\":");
    putNumber(line, number(field(rest, 19)));
    put(line, ",\"bootId\":\"");
    put(line, boot);
    put(line, "\"}\n");
    return !line->full;
}

/* The environment is read piece by piece: it may be as large as it likes. */
static int carries(const char *pid, const char *mark) {
    TEXT(path, 64);
    put(&path, "/proc/");
    put(&path, pid);
    put(&path, "/environ");
    int file = openAt(path.bytes, O_RDONLY);
    if (file < 0) {
        return 0;
    }
    char piece[CHUNK];
    const char *next = mark;
    int found = 0;
    long got;
    while (!found && (got = readFile(file, piece, sizeof piece)) > 0) {
        for (long at = 0; at < got && !found; at++) {
            if (!piece[at]) {
                found = next && !*next;
                next = mark;
            } else {
                next = next && *next == piece[at] ? next + 1 : 0;
            }
        }
    }
    closeFile(file);
    return found;
}

struct member_test {
    long leader; /* 0: not known */
    const char *mark;
};
static int belongs(const char *pid, const struct member_test *test) {
    TEXT(path, 64);
    put(&path, "/proc/");
    put(&path, pid);
    put(&path, "/stat");
    char stat[STAT_ROOM];
    const char *rest = load(path.bytes, stat, sizeof stat) ? facts(stat) : 0;
    if (!rest || *rest == 'Z' || *rest == 'X') {
        return 0;
    }
    return (test->leader > 0 && number(field(rest, 3)) == test->leader) || carries(pid, test->mark);
}

struct directory_entry {
    u64 inode, offset;
    unsigned short length;
    u8 type;
    char name[];
};

/*
 * Everything in the agent's session, and whatever carries its nonce elsewhere: how many there are, or, for a signal, how
 * many it was sent to.
 */
static int members(const struct member_test *test, int signal) {
    int proc = openAt("/proc", O_RDONLY);
    if (proc < 0) {
        return 0;
    }
    u64 space[CHUNK / sizeof(u64)];
    int found = 0;
    long got;
    while ((got = call(NR_getdents64, proc, (long) space, sizeof space, 0, 0)) > 0) {
        for (long at = 0; at < got;) {
            const struct directory_entry *entry = (const void *) ((u8 *) space + at);
            at += entry->length;
            if (entry->name[0] < '0' || entry->name[0] > '9' || !belongs(entry->name, test)) {
                continue;
            }
            found++;
            if (signal) {
                call(NR_kill, number(entry->name), signal, 0, 0, 0);
            }
        }
    }
    closeFile(proc);
    return found;
}

/* ---- the work ---- */

struct order {
    const char *folder, *nonce, *data, *input, *fate, *stop, *cgroup;
    long grace;
    char **words, **environment;
};

static int signalNumber(const char *name) {
    return same(name, "HUP") ? 1
        : same(name, "INT") ? 2
        : same(name, "QUIT") ? 3
        : same(name, "KILL") ? SIGKILL
        : same(name, "USR1") ? 10
        : same(name, "USR2") ? 12
        : same(name, "TERM") ? 15
        : 0;
}

static void mask(u64 blocked) { call(NR_rt_sigprocmask, SIG_SETMASK, (long) &blocked, 0, sizeof blocked, 0); }
static void handle(int signal, long how) {
    /* Handler, flags, and on x86_64 a restorer, then the mask. */
    u64 action[4] = {(u64) how, 0, 0, 0};
    call(NR_rt_sigaction, signal, (long) action, 0, sizeof(u64), 0);
}

/*
 * Every signal has its default, also one that the runtime was told to ignore: an ignored one would be ignored by the agent
 * too. Blocked here for good, so that nothing but KILL ends who records.
 */
static void cleanSignals(void) {
    mask(~0UL);
    for (int signal = 1; signal <= SIGNALS; signal++) {
        handle(signal, 0);
    }
}

/* What the runtime did not close for its children, e.g. its port. */
static void closeForeign(void) {
    if (call(NR_close_range, 3, ~0U, 0, 0, 0) == 0) {
        return;
    }
    int list = openAt("/proc/self/fd", O_RDONLY);
    u64 space[CHUNK / sizeof(u64)];
    long got;
    while (list >= 0 && (got = call(NR_getdents64, list, (long) space, sizeof space, 0, 0)) > 0) {
        for (long at = 0; at < got;) {
            const struct directory_entry *entry = (const void *) ((u8 *) space + at);
            at += entry->length;
            long file = number(entry->name);
            if (entry->name[0] >= '0' && entry->name[0] <= '9' && file > 2 && file != list) {
                closeFile((int) file);
            }
        }
    }
    if (list >= 0) {
        closeFile(list);
    }
}

/* Only one launcher ever wins the claim of a step, whoever started it and whatever crashed in between. */
static void claim(const struct order *order) {
    TEXT(line, LINE_ROOM);
    if (!identity(&line) || !note(order->folder, "claim.json", O_EXCL, &line)) {
        quit(filled(order->folder, "claim.json") ? EXIT_CLAIMED : EXIT_UNWRITABLE);
    }
}

static long leader(const struct order *order) {
    TEXT(path, PATH_ROOM);
    put(&path, order->folder);
    put(&path, "/launch.json");
    char line[LINE_ROOM];
    const char *pid = !path.full && load(path.bytes, line, sizeof line) ? after(line, "{\"pid\":") : 0;
    return pid ? number(pid) : 0;
}

/* Ends the tree when the runtime dies: then our standard input ends. */
static void followRuntime(const struct order *order) {
    char nothing[64];
    while (readFile(0, nothing, sizeof nothing) > 0) {
    }
    for (int rounds = 50; rounds > 0 && !filled(order->folder, "launch.json") && !exists(order->folder, "exit.json"); rounds--) {
        sleepMillis(100);
    }
    if (exists(order->folder, "exit.json")) {
        quit(0);
    }
    touch(order->folder, "runtime-died");
    TEXT(mark, PATH_ROOM);
    put(&mark, "LOOPKEEPER_NONCE=");
    put(&mark, order->nonce);
    struct member_test test = {leader(order), mark.bytes};
    if (!members(&test, signalNumber(order->stop))) {
        quit(0);
    }
    for (long grace = order->grace; grace > 0 && members(&test, 0); grace -= 100) {
        sleepMillis(100);
    }
    for (int rounds = 100; rounds > 0 && members(&test, SIGKILL); rounds--) {
        sleepMillis(50);
    }
    quit(0);
}

static int fork(void) { return (int) call(NR_clone, SIGCHLD, 0, 0, 0, 0); }

/* Moving itself, before the agent is born in it: waits for the kernel, which being born there does not. */
static int moveTo(const char *cgroup) {
    int file = openIn(cgroup, "cgroup.procs", O_WRONLY);
    if (file < 0) {
        return 0;
    }
    long moved = writeFile(file, "0\n", 2);
    closeFile(file);
    return moved == 2;
}

/* The process that becomes the agent, in its control group from its first moment where the kernel can do that. */
static int bear(const struct order *order) {
    if (!order->cgroup[0]) {
        return fork();
    }
    int group = openAt(order->cgroup, O_RDONLY);
    if (group >= 0) {
        /* flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup */
        u64 wish[11] = {0x200000000UL, 0, 0, 0, SIGCHLD, 0, 0, 0, 0, 0, (u64) group};
        long born = call(NR_clone3, (long) wish, sizeof wish, 0, 0, 0);
        closeFile(group);
        if (born >= 0) {
            return (int) born;
        }
    }
    int born = fork();
    if (born == 0 && !moveTo(order->cgroup)) {
        quit(EXIT_FILES);
    }
    return born;
}

static int become(int file, int wanted) { return file >= 0 && (file == wanted || call(NR_dup3, file, wanted, 0, 0, 0) == wanted); }

/* A file that got one of the numbers 0 to 2 is kept open by no dup3. */
static int openHigh(int file) {
    enum { F_DUPFD_CLOEXEC = 1030 };
#if defined(__x86_64__)
    enum { NR_fcntl = 72 };
#else
    enum { NR_fcntl = 25 };
#endif
    if (file < 0 || file > 2) {
        return file;
    }
    int high = (int) call(NR_fcntl, file, F_DUPFD_CLOEXEC, 3, 0, 0);
    closeFile(file);
    return high;
}

static void say(const char *program, const char *why) {
    TEXT(line, CHUNK);
    put(&line, "exec: ");
    put(&line, program);
    put(&line, ": ");
    put(&line, why);
    put(&line, "\n");
    writeFile(2, line.bytes, line.used);
}

/* As execvp does it: what the kernel does not know for a program is a script of the shell. Answers with what went wrong. */
static int execute(const char *path, char **words, char **environment) {
    long failed = call(NR_execve, (long) path, (long) words, (long) environment, 0, 0);
    if (failed == -ENOEXEC) {
        u64 count = 0;
        while (words[count]) {
            count++;
        }
        char *shell[count + 2];
        shell[0] = "/bin/sh";
        shell[1] = (char *) path;
        for (u64 at = 1; at <= count; at++) {
            shell[at + 1] = words[at];
        }
        failed = call(NR_execve, (long) shell[0], (long) shell, (long) environment, 0, 0);
    }
    return (int) -failed;
}

/*
 * Looks for it as a shell does. Answers with the exit status that means why it could not be executed: 127 for what is not
 * there. A folder of the path that may not be looked into, or a folder of that name, does not make it forbidden.
 */
static int search(char **words, char **environment, const char *path) {
    const char *program = words[0];
    int failed = ENOENT, seen = 0;
    if (contains(program, '/')) {
        failed = execute(program, words, environment);
        seen = 1;
    } else {
        for (;;) {
            u64 end = 0;
            while (path[end] && path[end] != ':') {
                end++;
            }
            TEXT(candidate, PATH_ROOM);
            if (end + 1 < PATH_ROOM) {
                for (u64 at = 0; at < end; at++) {
                    char one[2] = {path[at], 0};
                    put(&candidate, one);
                }
                put(&candidate, end ? "/" : "./");
                put(&candidate, program);
                if (!candidate.full) {
                    int reason = execute(candidate.bytes, words, environment);
                    failed = reason == ENOENT || reason == ENOTDIR ? failed : reason;
                    seen |= regular(candidate.bytes);
                }
            }
            if (!path[end]) {
                break;
            }
            path += end + 1;
        }
    }
    int absent = failed == ENOENT || failed == ENOTDIR || failed == ELOOP || failed == ENAMETOOLONG || !seen;
    say(program, absent ? "not found" : failed == EACCES ? "Permission denied" : "cannot be executed");
    return absent ? EXIT_ABSENT : EXIT_REFUSED;
}

static const char *valueOf(char **environment, const char *name) {
    for (; *environment; environment++) {
        const char *value = after(*environment, name);
        if (value) {
            return value;
        }
    }
    return 0;
}

#define USUAL_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#define OPEN_FILES "LOOPKEEPER_OPEN_FILES="

/* Java raises the soft limit of open files for itself. The agent gets the one that was in force before. */
static void limitFiles(char **environment) {
    const char *before = valueOf(environment, OPEN_FILES);
    u64 limit[2];
    if (before && call(NR_prlimit64, 0, RLIMIT_NOFILE, 0, (long) limit, 0) == 0) {
        u64 wanted = (u64) number(before);
        limit[0] = wanted < limit[1] ? wanted : limit[1];
        call(NR_prlimit64, 0, RLIMIT_NOFILE, (long) limit, 0, 0);
    }
}

/*
 * The environment with our marks, and with PWD as a shell sets it: programs believe it. What was inherited is kept when it
 * still names this folder, perhaps by a link.
 */
static void prepared(char **given, char **made, char *nonce, char *data, char *folder) {
    const char *inherited = valueOf(given, "PWD=");
    int keep = inherited && inherited[0] == '/' && sameFile(inherited, ".");
    for (; *given; given++) {
        if (after(*given, "LOOPKEEPER_NONCE=") || after(*given, "LOOPKEEPER_DATA=") || after(*given, OPEN_FILES)
            || (!keep && after(*given, "PWD="))) {
            continue;
        }
        *made++ = *given;
    }
    *made++ = nonce;
    *made++ = data;
    if (!keep && call(NR_getcwd, (long) (folder + 4), PATH_ROOM - 4, 0, 0, 0) > 0 && folder[4] == '/') {
        *made++ = folder;
    }
    *made = 0;
}

static void agent(const struct order *order) __attribute__((noreturn));
static void agent(const struct order *order) {
    call(NR_setsid, 0, 0, 0, 0, 0);
    int told = openHigh(1);
    int input = openHigh(openAt(order->input, O_RDONLY));
    int output = openHigh(openIn(order->folder, "stdout.log", O_WRONLY | O_CREAT | O_APPEND));
    int errors = openHigh(openIn(order->folder, "stderr.log", O_WRONLY | O_CREAT | O_APPEND));
    if (!become(input, 0) || !become(output, 1) || !become(errors, 2)) {
        quit(EXIT_FILES);
    }
    TEXT(line, LINE_ROOM);
    if (!identity(&line) || !note(order->folder, "launch.json", O_TRUNC, &line)) {
        touch(order->folder, "exec-failed");
        quit(EXIT_REFUSED);
    }
    /* A runtime that died before it could hear the pid must not take the agent with it. */
    handle(SIGPIPE, 1);
    mask(0);
    writeFile(told, line.bytes, line.used);
    handle(SIGPIPE, 0);
    u64 count = 0;
    while (order->environment[count]) {
        count++;
    }
    char *environment[count + 4];
    TEXT(nonce, PATH_ROOM);
    TEXT(data, PATH_ROOM);
    char here[PATH_ROOM] = "PWD=";
    put(&nonce, "LOOPKEEPER_NONCE=");
    put(&nonce, order->nonce);
    put(&data, "LOOPKEEPER_DATA=");
    put(&data, order->data);
    if (nonce.full || data.full) {
        quit(EXIT_FILES);
    }
    prepared(order->environment, environment, nonce.bytes, data.bytes, here);
    limitFiles(order->environment);
    const char *path = valueOf(environment, "PATH=");
    int status = search(order->words, environment, path ? path : USUAL_PATH);
    touch(order->folder, "exec-failed");
    quit(status);
}

/* Hundredths of a second since boot, which are the ticks of /proc; 0 when they cannot be told. */
static long now(void) {
    char line[64];
    if (!load("/proc/uptime", line, sizeof line)) {
        return 0;
    }
    long seconds = number(line);
    const char *digits = line;
    while (*digits && *digits != '.') {
        digits++;
    }
    return *digits ? seconds * 100 + number(digits + 1) : 0;
}

/*
 * When it has ended and is not yet waited for, so that its pid is still its own: whoever was born into a session with this
 * number until then was born into its session. 0 when that cannot be told.
 */
static long endOf(int pid) {
    enum { P_PID = 1, WEXITED = 4, WNOWAIT = 0x01000000 };
    long ended;
    do {
        ended = call(NR_waitid, P_PID, pid, 0, WEXITED | WNOWAIT, 0);
    } while (ended == -EINTR);
    return ended == 0 ? now() : 0;
}

static int waitFor(int pid) {
    int status = 0;
    long reaped;
    do {
        reaped = call(NR_wait4, pid, (long) &status, 0, 0, 0);
    } while (reaped == -EINTR);
    int signal = status & 0x7f;
    return reaped != pid ? EXIT_FILES : signal ? 128 + signal : status >> 8 & 0xff;
}

static void record(const struct order *order) __attribute__((noreturn));
static void record(const struct order *order) {
    claim(order);
    int follower = 0;
    if (same(order->fate, "kill")) {
        follower = fork();
        if (follower == 0) {
            closeFile(1);
            followRuntime(order);
        }
    }
    closeFile(0);
    int born = bear(order);
    if (born == 0) {
        agent(order);
    }
    /* The agent alone tells who it is: without it whoever listens hears the end. */
    closeFile(1);
    long ended = born > 0 ? endOf(born) : 0;
    int status = born > 0 ? waitFor(born) : EXIT_FILES;
    TEXT(line, LINE_ROOM);
    put(&line, "{\"exitCode\":");
    putNumber(&line, status);
    if (ended) {
        put(&line, ",\"endTicks\":");
        putNumber(&line, ended);
    }
    put(&line, "}\n");
    /* One write, and no part of it is whole JSON: a reader sees all of the record or none, without a rename. */
    note(order->folder, "exit.json", O_TRUNC, &line);
    if (follower > 0) {
        if (!exists(order->folder, "runtime-died")) {
            call(NR_kill, follower, SIGKILL, 0, 0, 0);
        }
        waitFor(follower);
    }
    quit(0);
}

/* ---- the sandbox ---- */

enum { FS_EXECUTE = 1, FS_WRITE_FILE = 2, FS_READ_FILE = 4, FS_READ_DIR = 8, FS_TRUNCATE = 1 << 14, FS_IOCTL_DEV = 1 << 15 };
/* What may be granted on a file; the other rights are those of folders. */
enum { OF_FILES = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV };

static void unenforced(const char *what, long failure) __attribute__((noreturn));
static void unenforced(const char *what, long failure) {
    TEXT(line, LINE_ROOM);
    put(&line, "loopkeeper: nothing was executed, since the sandbox cannot be enforced: ");
    put(&line, what);
    put(&line, " failed with error ");
    putNumber(&line, failure < 0 ? -failure : failure);
    put(&line, "\n");
    writeFile(2, line.bytes, line.used);
    quit(EXIT_REFUSED);
}

static long landlock(void) {
    long version = call(NR_landlock_create_ruleset, 0, 0, 1, 0, 0);
    return version > 0 ? version : 0;
}

/* What cannot be opened is not granted. */
static void allow(int rules, u64 rights, const char *path) {
    enum { O_PATH = 010000000, S_IFDIR = 0040000, PATH_BENEATH = 1 };
    int file = openAt(path, O_PATH);
    if (file < 0) {
        return;
    }
    u64 facts[32];
    long failed = call(NR_fstat, file, (long) facts, 0, 0, 0);
    if (failed != 0) {
        unenforced("fstat", failed);
    }
    if ((*(unsigned *) ((u8 *) facts + STAT_MODE) & S_IFMT) != S_IFDIR) {
        rights &= OF_FILES;
    }
    struct {
        u64 rights;
        int file;
    } __attribute__((packed)) rule = {rights, file};
    failed = call(NR_landlock_add_rule, rules, PATH_BENEATH, (long) &rule, 0, 0);
    if (failed != 0) {
        unenforced("landlock_add_rule", failed);
    }
    closeFile(file);
}

static u64 rightsOf(char letter, u64 all) {
    u64 read = FS_EXECUTE | FS_READ_FILE | FS_READ_DIR;
    u64 file = FS_WRITE_FILE | FS_READ_FILE | FS_READ_DIR | FS_IOCTL_DEV;
    return all & (letter == 'w' ? all & ~(u64) FS_IOCTL_DEV : letter == 'f' ? file : read);
}

static void allowAll(int rules, u64 all, const char *lines) {
    while (*lines) {
        char letter = *lines++;
        TEXT(path, PATH_ROOM);
        for (; *lines && *lines != '\n'; lines++) {
            char one[2] = {*lines, 0};
            put(&path, one);
        }
        lines += *lines == '\n';
        if (path.full) {
            unenforced("a path", ENAMETOOLONG);
        }
        allow(rules, rightsOf(letter, all), path.bytes);
    }
}

/* Neither this process nor what it executes has a capability again, by a program of root's or otherwise. */
static void dropCapabilities(void) {
    enum { PR_CAPBSET_DROP = 24, PR_SET_NO_NEW_PRIVS = 38, PR_CAP_AMBIENT = 47, CLEAR_ALL = 4, CAPABILITIES = 64 };
    long failed = call(NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (failed != 0) {
        unenforced("PR_SET_NO_NEW_PRIVS", failed);
    }
    /* Fails for an ordinary user, who has none to lose. */
    for (long one = 0; one < CAPABILITIES; one++) {
        call(NR_prctl, PR_CAPBSET_DROP, one, 0, 0, 0);
    }
    call(NR_prctl, PR_CAP_AMBIENT, CLEAR_ALL, 0, 0, 0);
    unsigned header[2] = {0x20080522, 0}, none[6] = {0, 0, 0, 0, 0, 0};
    failed = call(NR_capset, (long) header, (long) none, 0, 0, 0);
    if (failed != 0) {
        unenforced("capset", failed);
    }
}

/* What bubblewrap executes: says who it is once the mounts stand, and keeps them until its input ends. */
static void hold(void) __attribute__((noreturn));
static void hold(void) {
    TEXT(line, 32);
    putNumber(&line, call(NR_getpid, 0, 0, 0, 0, 0));
    writeFile(1, line.bytes, line.used);
    char nothing[8];
    while (readFile(0, nothing, sizeof nothing) > 0) {
    }
    quit(0);
}

/* The child: bubblewrap, with nothing of the agent's environment, which could name libraries. */
static void makeMounts(char *lines, int input, int output) __attribute__((noreturn));
static void makeMounts(char *lines, int input, int output) {
    u64 count = 1;
    for (char *at = lines; *at; at++) {
        count += *at == '\n';
    }
    char *words[count + 1];
    for (u64 word = 0; word < count; word++) {
        words[word] = lines;
        while (*lines && *lines != '\n') {
            lines++;
        }
        *lines++ = 0;
    }
    words[count] = 0;
    if (become(input, 0) && become(output, 1)) {
        char *none[1] = {0};
        say(words[0], execute(words[0], words, none) == ENOENT ? "not found" : "cannot be executed");
    }
    quit(EXIT_REFUSED);
}

static void enter(char *mounts) {
    enum { CLONE_NEWNS = 0x20000, CLONE_NEWUSER = 0x10000000 };
    char here[PATH_ROOM], answer[32];
    int end[2], said[2];
    if (call(NR_getcwd, (long) here, PATH_ROOM, 0, 0, 0) <= 0 || call(NR_pipe2, (long) end, O_CLOEXEC, 0, 0, 0) != 0
        || call(NR_pipe2, (long) said, O_CLOEXEC, 0, 0, 0) != 0) {
        unenforced("getcwd or pipe2", 0);
    }
    int helper = fork();
    if (helper == 0) {
        makeMounts(mounts, end[0], said[1]);
    }
    closeFile(end[0]);
    closeFile(said[1]);
    long got = readFile(said[0], answer, sizeof answer - 1);
    if (got <= 0) {
        unenforced("bubblewrap", helper < 0 ? helper : waitFor(helper));
    }
    answer[got] = 0;
    int holder = (int) call(NR_pidfd_open, number(answer), 0, 0, 0, 0);
    long failed = call(NR_setns, holder, CLONE_NEWUSER | CLONE_NEWNS, 0, 0, 0);
    /* Root's has no user namespace of its own. */
    failed = failed == -EINVAL ? call(NR_setns, holder, CLONE_NEWNS, 0, 0, 0) : failed;
    failed = failed ? failed : call(NR_chdir, (long) here, 0, 0, 0, 0);
    if (failed != 0) {
        unenforced("setns", failed);
    }
    closeFile(holder);
    closeFile(said[0]);
    closeFile(end[1]);
    waitFor(helper);
}

static void confine(char **words, char **environment) __attribute__((noreturn));
static void confine(char **words, char **environment) {
    if (words[3][0]) {
        enter(words[3]);
    }
    long version = landlock();
    if (version < number(words[0])) {
        unenforced("a Landlock as new as required", version);
    }
    /* Each version knows more rights; scopes: abstract sockets and signals of processes outside. */
    u64 all = version >= 5 ? (1 << 16) - 1 : version >= 3 ? (1 << 15) - 1 : version == 2 ? (1 << 14) - 1 : (1 << 13) - 1;
    u64 wish[3] = {all, version >= 4 && same(words[1], "off") ? 3 : 0, version >= 6 ? 3 : 0};
    long rules = call(NR_landlock_create_ruleset, (long) wish, version >= 6 ? 24 : version >= 4 ? 16 : 8, 0, 0, 0);
    if (rules < 0) {
        unenforced("landlock_create_ruleset", rules);
    }
    allowAll((int) rules, all, words[2]);
    dropCapabilities();
    long failed = call(NR_landlock_restrict_self, rules, 0, 0, 0, 0);
    if (failed != 0) {
        unenforced("landlock_restrict_self", failed);
    }
    closeFile((int) rules);
    const char *path = valueOf(environment, "PATH=");
    quit(search(words + 4, environment, path ? path : USUAL_PATH));
}

__attribute__((used)) static void launch(long *stack) {
    long count = stack[0];
    char **words = (char **) (stack + 1);
    char **environment = words + count + 1;
    if (count == 2 && same(words[1], "version")) {
        writeFile(1, SOURCE_SHA256 "\n", sizeof SOURCE_SHA256);
        quit(0);
    }
    if (count == 2 && same(words[1], "landlock")) {
        TEXT(line, 32);
        putNumber(&line, landlock());
        put(&line, "\n");
        writeFile(1, line.bytes, line.used);
        quit(0);
    }
    if (count == 2 && same(words[1], "hold")) {
        hold();
    }
    if (count > 6 && same(words[1], "confine")) {
        confine(words + 2, environment);
    }
    if (count < 14 || !same(words[1], "record") || words[11][0]) {
        quit(EXIT_USAGE);
    }
    struct order order = {
        .folder = words[2], .nonce = words[3], .data = words[4], .input = words[5], .fate = words[6], .stop = words[7],
        .grace = number(words[8]), .cgroup = words[10], .words = words + 13, .environment = environment};
    closeForeign();
    cleanSignals();
    call(NR_setsid, 0, 0, 0, 0, 0);
    record(&order);
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call launch\n hlt\n");
#else
__asm__(".globl _start\n_start: mov x29, #0\n mov x30, #0\n mov x0, sp\n bl launch\n brk #0\n");
#endif
