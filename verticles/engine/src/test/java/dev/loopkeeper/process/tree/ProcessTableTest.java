package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.NamedPipe;
import dev.loopkeeper.data.SmallFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessTableTest {
    private static final int MANY = 300;

    /** The real files; counts how often those of some processes are read. */
    private static final class CountedFiles extends ForwardedFiles {
        private final Set<String> counted = new HashSet<>();
        private final AtomicInteger reads = new AtomicInteger();

        private void count(String file) {
            if (counted.contains(file.substring(0, file.lastIndexOf('/')))) {
                reads.incrementAndGet();
            }
        }

        @Override
        public byte[] read(Path file) throws IOException {
            count(file.toString());
            return super.read(file);
        }

        @Override
        public int read(String file, byte[] beginning) throws IOException {
            count(file);
            return super.read(file, beginning);
        }
    }

    @TempDir
    private Path folder;

    /** Of this test alone: an agent of the one before may still be ending. */
    private final String nonce = "table-test-" + UUID.randomUUID();

    private final CountedFiles files = new CountedFiles();
    private final ProcFs processes = new ProcFs(files);
    private final ProcessTable table = new ProcessTable(processes);
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endAll() throws InterruptedException {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        for (Process process : started) {
            process.waitFor();
        }
    }

    @CanIgnoreReturnValue
    private Process start(Map<String, String> marks, String... words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.directory(folder.toFile());
        builder.environment().putAll(marks);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Process agent(String command) throws IOException {
        return start(Map.of(StepEnvironment.NONCE, nonce), "setsid", "sh", "-c", command);
    }

    @CanIgnoreReturnValue
    private String written(String file) {
        Path path = folder.resolve(file);
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> Files.exists(path) && Files.readString(path).endsWith("\n"));
        try {
            return Files.readString(path).strip();
        } catch (IOException gone) {
            throw new AssertionError(gone);
        }
    }

    private ProcessTree treeOf(Process agent) {
        return new ProcessTree(nonce, processes.identity(agent.pid()), true, Optional.empty());
    }

    private Map<Identity, String> membersOf(ProcessTree tree) {
        return tree.members(table.look(tree.sinceTicks(), false), processes);
    }

    private static List<Long> pids(Map<Identity, String> members) {
        return members.keySet().stream().map(Identity::pid).toList();
    }

    /** A thousand living agents would each cost every step that ends two reads. */
    @Test
    void knownProcessesAreNotReadAgain() throws IOException {
        for (int number = 0; number < MANY; number++) {
            files.counted.add("/proc/" + start(Map.of(), "sleep", "300").pid());
        }
        ProcessTree gone = new ProcessTree(
                nonce, Optional.of(new Identity(1L << 40, 1, processes.bootId())), true, Optional.empty());
        assertThat(table.look(1, false).processes()).hasSizeGreaterThan(MANY);
        assertThat(files.reads.getAndSet(0)).isGreaterThanOrEqualTo(2 * MANY);

        for (int looks = 0; looks < 5; looks++) {
            assertThat(membersOf(gone)).isEmpty();
        }

        assertThat(files.reads.get()).isZero();
    }

    @Test
    void everyoneIsThereWithWhatThePlainFilesSay() throws IOException {
        Process agent = agent("echo up >up; sleep 300; :");
        written("up");
        assertThat(table.look(0, false).processes()).isNotEmpty();

        ProcessSnapshot.Seen seen = table.look(0, false).processes().stream()
                .filter(process -> process.identity().pid() == agent.pid())
                .findFirst()
                .orElseThrow();

        assertThat(seen.nonce()).isEqualTo(nonce);
        assertThat(seen.identity()).isEqualTo(processes.identity(agent.pid()).orElseThrow());
        assertThat(seen.bornOf()).isEqualTo(ProcessHandle.current().pid());
    }

    @Test
    void aProcessThatHasEndedIsNoMember() throws Exception {
        Process agent = agent("exec sleep 300");
        ProcessTree tree = treeOf(agent);
        assertThat(pids(membersOf(tree))).contains(agent.pid());

        agent.destroyForcibly().waitFor();
        await().untilAsserted(() -> assertThat(membersOf(tree)).isEmpty());
    }

    @Test
    void aKnownChildInItsOwnSessionStaysAMember() throws Exception {
        Process agent =
                agent("mkfifo go; sh -c 'echo $$ >child; read -r x <go; exec env -i setsid -w sleep 300' & wait");
        ProcessTree tree = treeOf(agent);
        long child = Long.parseLong(written("child"));
        assertThat(pids(membersOf(tree))).contains(agent.pid(), child);

        NamedPipe.write(folder.resolve("go"), "go\n");
        ProcessTree later = treeOf(agent);

        await().untilAsserted(() -> assertThat(processes.command(child)).contains("sleep"));
        assertThat(pids(membersOf(later))).contains(agent.pid(), child);
        endAllOf(later);
    }

    /** Who is adopted by a member of its family is seen as its child, not as that of the dead one. */
    @Test
    void anOrphanIsReadAgain() throws Exception {
        Process agent = agent("sh -c 'sleep 300 & echo $! >child; wait' & wait; sleep 300");
        ProcessTree tree = treeOf(agent);
        long child = Long.parseLong(written("child"));
        long parent = processes.stat(child).orElseThrow().parent();
        assertThat(pids(membersOf(tree))).contains(child, parent);

        assertThat(ProcessHandle.of(parent).orElseThrow().destroyForcibly()).isTrue();

        await().untilAsserted(() -> {
            ProcessSnapshot.Seen orphan = table.look(0, false).processes().stream()
                    .filter(seen -> seen.identity().pid() == child)
                    .findFirst()
                    .orElseThrow();
            assertThat(orphan.stat().parent()).isNotEqualTo(parent);
            assertThat(orphan.bornOf()).isEqualTo(orphan.stat().parent());
        });
        endAllOf(tree);
    }

    /** The launcher's child has its launcher's environment until it executes the agent. */
    @Test
    void whoExecutesACarrierAfterItWasSeenIsFoundByAThoroughLook() throws Exception {
        Process late = start(
                Map.of(),
                "sh",
                "-c",
                "mkfifo go; echo up >up; read -r x <go; LOOPKEEPER_NONCE=" + nonce + " exec sleep 300");
        written("up");
        assertThat(nonceOf(late, true)).isEmpty();

        NamedPipe.write(folder.resolve("go"), "go\n");
        await().untilAsserted(() -> assertThat(processes.command(late.pid())).startsWith("sleep"));

        assertThat(nonceOf(late, true)).isEqualTo(nonce);
    }

    /** The same for an agent that is known, but was seen too early. */
    @Test
    void anAgentThatWasSeenBeforeItsExecIsAMember() throws Exception {
        Process late = start(
                Map.of(),
                "setsid",
                "sh",
                "-c",
                "mkfifo go; echo up >up; read -r x <go; LOOPKEEPER_NONCE=" + nonce + " exec sleep 300");
        written("up");
        assertThat(nonceOf(late, false)).isEmpty();
        NamedPipe.write(folder.resolve("go"), "go\n");
        await().untilAsserted(() -> assertThat(processes.command(late.pid())).startsWith("sleep"));

        ProcessTree adopted = new ProcessTree(nonce, processes.identity(late.pid()), false, Optional.empty());

        assertThat(pids(membersOf(adopted))).contains(late.pid());
    }

    /** The real files, but as they are in the middle of an exec for the first checks of it. */
    private static final class ExecutingProcessFiles extends ForwardedFiles {
        private final AtomicInteger left;
        private Optional<String> process = Optional.empty();

        ExecutingProcessFiles(int looks) {
            this.left = new AtomicInteger(looks);
        }

        ExecutingProcessFiles of(Process executing) {
            process = Optional.of("/proc/" + executing.pid() + "/");
            return this;
        }

        @Override
        public byte[] read(Path file) throws IOException {
            boolean empty = process.filter(file::startsWith).isPresent() && left.getAndDecrement() > 0;
            return empty ? new byte[0] : REAL.read(file);
        }
    }

    /** It was no carrier for this look, and had perhaps lost its parents and its session by then. */
    @Test
    void aProcessDuringExecIsReadAgain() throws Exception {
        Process agent = agent("echo up >up; sleep 300; :");
        written("up");
        ProcessTable during = new ProcessTable(new ProcFs(new ExecutingProcessFiles(5).of(agent)));

        assertThat(nonceOf(agent, during, false)).isEqualTo(nonce);
    }

    /** The real files, but this process has ended when it is read, so many times, and it is unknown which process was born since. */
    private static final class EndingProcessFiles extends ForwardedFiles {
        private final String stat;
        private int left;

        EndingProcessFiles(Process process, int times) {
            this.stat = "/proc/" + process.pid() + "/stat";
            this.left = times;
        }

        @Override
        public int read(String file, byte[] beginning) throws IOException {
            if (file.equals(ProcFs.NEWEST_PID) || (file.equals(stat) && left-- > 0)) {
                throw new NoSuchFileException(file);
            }
            return REAL.read(file, beginning);
        }
    }

    private static boolean isIn(ProcessSnapshot snapshot, Process process) {
        return snapshot.processes().stream().anyMatch(seen -> seen.identity().pid() == process.pid());
    }

    /** Who ended between the list and its reading had a child perhaps, which a single list does not show. */
    @Test
    void listsAgainWhenAProcessEndsBeforeItIsRead() throws Exception {
        Process agent = agent("echo up >up; sleep 300; :");
        written("up");
        int times = ProcessTable.MOST_LISTINGS / 2;

        ProcessSnapshot snapshot = new ProcessTable(new ProcFs(new EndingProcessFiles(agent, times))).look(0, false);

        assertThat(isIn(snapshot, agent)).isTrue();
    }

    @Test
    void aLookThatIsDisturbedEachTimeEndsAndSaysSo() throws Exception {
        Process agent = agent("echo up >up; sleep 300; :");
        written("up");
        EndingProcessFiles files = new EndingProcessFiles(agent, ProcessTable.MOST_LISTINGS);
        ProcessTable disturbed = new ProcessTable(new ProcFs(files));

        ProcessSnapshot snapshot = disturbed.look(0, false);

        assertThat(snapshot.whole()).isFalse();
        assertThat(isIn(snapshot, agent)).isFalse();
        assertThat(files.left).isZero();
        assertThat(isIn(disturbed.look(0, false), agent)).isTrue();
    }

    /** The real files, but each of these processes ends as it is read for the first time, and leaves the next one. */
    private final class ChainedProcessFiles extends ForwardedFiles {
        private final int length;
        private Process living;
        private int births;

        ChainedProcessFiles(Process first, int length) {
            this.living = first;
            this.length = length;
        }

        @Override
        public int read(String file, byte[] beginning) throws IOException {
            if (births < length && file.equals("/proc/" + living.pid() + "/stat")) {
                births++;
                Process dead = living;
                living = agent("exec sleep 300");
                try {
                    dead.destroyForcibly().waitFor();
                } catch (InterruptedException asked) {
                    throw new IOException(asked);
                }
                throw new NoSuchFileException(file);
            }
            return REAL.read(file, beginning);
        }
    }

    /** Listed again and again they would be missed as long as the chain continues. */
    @Test
    void aChainOfForksIsFollowedToItsEnd() throws Exception {
        assumeThat(processes.newestPid()).isPresent();
        Process first = agent("exec sleep 300");
        ChainedProcessFiles files = new ChainedProcessFiles(first, ProcessTable.MOST_LISTINGS + 5);
        ProcessTable following = new ProcessTable(new ProcFs(files));

        ProcessSnapshot snapshot = following.look(0, false);

        assertThat(files.births).isEqualTo(files.length);
        assertThat(snapshot.whole()).isTrue();
        assertThat(isIn(snapshot, files.living)).isTrue();
        assertThat(isIn(snapshot, first)).isFalse();
    }

    /** No process was born since the list began, so the one that ended has left none. */
    @Test
    void aProcessThatEndsDuringAScanDoesNotRepeatIt() throws Exception {
        assumeThat(processes.newestPid()).isPresent();
        Process agent = agent("exec sleep 300");
        SmallFiles files = new ForwardedFiles() {
            @Override
            public int read(String file, byte[] beginning) throws IOException {
                if (file.equals("/proc/" + agent.pid() + "/stat")) {
                    throw new NoSuchFileException(file);
                }
                return REAL.read(file, beginning);
            }
        };

        ProcessSnapshot snapshot = new ProcessTable(new ProcFs(files)).look(0, false);

        assertThat(snapshot.whole()).isTrue();
        assertThat(isIn(snapshot, agent)).isFalse();
    }

    @Test
    void theNumberOfAThreadIsNoProcess() throws Exception {
        Path tasks = Path.of("/proc/self/task");
        long self = ProcessHandle.current().pid();
        try (Stream<Path> threads = Files.list(tasks)) {
            assertThat(threads).allSatisfy(thread -> {
                long id = Long.parseLong(thread.getFileName().toString());
                boolean isThread = processes.isThread(id);
                // A thread of the virtual machine can end between the two looks.
                if (Files.exists(thread)) {
                    assertThat(isThread).isEqualTo(id != self);
                }
            });
        }
    }

    @Test
    void theNewestProcessHasTheHighestPidUnlessPidsWrapped() throws Exception {
        assumeThat(processes.newestPid()).isPresent();
        long before = processes.newestPid().orElseThrow();
        long born = agent("exec sleep 300").pid();
        long now = processes.newestPid().orElseThrow();
        assertThat(now < before || (before < born && born <= now)).isTrue();
    }

    /** The same where it ends before its environment is read. */
    private static final class UnmarkedProcessFiles extends ForwardedFiles {
        private static final int LOOKS = 2;

        private final String process;
        private int left;
        private int gone;

        UnmarkedProcessFiles(Process process, int times) {
            this.process = "/proc/" + process.pid() + "/";
            this.left = times;
        }

        @Override
        public byte[] read(Path file) throws IOException {
            if (file.toString().equals(process + "environ") && left-- > 0) {
                gone = LOOKS;
                throw new NoSuchFileException(file.toString());
            }
            return REAL.read(file);
        }

        @Override
        public int read(String file, byte[] beginning) throws IOException {
            if (file.equals(ProcFs.NEWEST_PID) || (file.equals(process + "stat") && gone-- > 0)) {
                throw new NoSuchFileException(file);
            }
            return REAL.read(file, beginning);
        }
    }

    /** It was seen without its mark, so it was no process's, and its child was not in the list. */
    @Test
    void listsAgainWhenAProcessEndsBeforeItsMarksAreRead() throws Exception {
        Process agent = agent("echo up >up; sleep 300; :");
        written("up");
        int times = ProcessTable.MOST_LISTINGS;
        ProcessTable disturbed = new ProcessTable(new ProcFs(new UnmarkedProcessFiles(agent, times)));

        assertThat(disturbed.look(0, false).whole()).isFalse();
        assertThat(nonceOf(agent, disturbed, false)).isEqualTo(nonce);
    }

    /** On a machine in use it takes its time to end without any memory, and its child was not in the list. */
    @Test
    void listsAgainWhenAProcessHasNoMarks() throws Exception {
        ExecutingProcessFiles files = new ExecutingProcessFiles(2 * ProcFs.MOST_LOOKS_AT_AN_EXEC + 1);
        ProcessTable disturbed = new ProcessTable(new ProcFs(files));
        // So that processes that are dead already are not counted.
        assertThat(disturbed.look(0, false).processes()).isNotEmpty();
        Process agent = agent("echo up >up; sleep 300; :");
        written("up");
        ExecutingProcessFiles unused = files.of(agent);

        assertThat(nonceOf(agent, disturbed, false)).isEqualTo(nonce);
    }

    /** The real files, but of these processes no process may read the environment, and another starts when each is first tried. */
    private final class ForeignProcessFiles extends ForwardedFiles {
        private final Set<String> environments = new HashSet<>();
        private final Set<String> tried = new HashSet<>();

        void start() throws IOException {
            long pid = ProcessTableTest.this.start(Map.of(), "sleep", "300").pid();
            environments.add("/proc/" + pid + "/environ");
        }

        @Override
        public byte[] read(Path file) throws IOException {
            if (!environments.contains(file.toString())) {
                return super.read(file);
            }
            if (tried.add(file.toString()) && tried.size() <= ProcessTable.MOST_LISTINGS) {
                start();
            }
            throw new AccessDeniedException(file.toString());
        }
    }

    /** No other look shows more of another user's processes, of which a machine may start some at any time. */
    @Test
    void whoseEnvironmentMayNotBeReadDisturbsNoLook() throws Exception {
        ForeignProcessFiles files = new ForeignProcessFiles();
        files.start();

        assertThat(new ProcessTable(new ProcFs(files)).look(0, false).whole()).isTrue();
    }

    /** Java reads a file of unknown length in parts; of a process that ends in the meantime only the first part is left, without its mark. */
    @Test
    void aPartOfAnEnvironmentIsNoEnvironmentWithoutMarks() throws Exception {
        Process agent = agent("echo up >up; sleep 300; :");
        written("up");
        AtomicInteger torn = new AtomicInteger(1);
        SmallFiles files = new ForwardedFiles() {
            @Override
            public byte[] read(Path file) throws IOException {
                boolean part =
                        file.toString().equals("/proc/" + agent.pid() + "/environ") && torn.getAndDecrement() > 0;
                return part ? new byte[] {'P'} : REAL.read(file);
            }
        };

        assertThat(nonceOf(agent, new ProcessTable(new ProcFs(files)), false)).isEqualTo(nonce);
    }

    /** He may have forked after the list, and what he left would be searched for in vain in the same look. */
    @Test
    void aProcessThatDiedSinceTheListMayHaveLeftChildren() throws Exception {
        Process agent = agent("echo up >up; exec sleep 300");
        written("up");
        ProcessTree tree = treeOf(agent);
        ProcessSnapshot before = table.look(0, false);
        agent.destroyForcibly().waitFor();

        assertThat(tree.members(before, processes)).isEmpty();
        assertThat(tree.sawAll()).isFalse();

        // That is no news to the next look, in which all whom he left are listed.
        assertThat(tree.members(new ProcessSnapshot(before.processes(), true), processes))
                .isEmpty();
        assertThat(tree.sawAll()).isTrue();
    }

    private String nonceOf(Process process, boolean thorough) {
        return nonceOf(process, table, thorough);
    }

    private static String nonceOf(Process process, ProcessTable table, boolean thorough) {
        return table.look(0, thorough).processes().stream()
                .filter(seen -> seen.identity().pid() == process.pid())
                .findFirst()
                .orElseThrow()
                .nonce();
    }

    private void endAllOf(ProcessTree tree) {
        membersOf(tree)
                .keySet()
                .forEach(member -> ProcessHandle.of(member.pid()).ifPresent(ProcessHandle::destroyForcibly));
    }

    /** Where the kernel's own numbers are unknown no process is treated as the same as before. */
    @Test
    void theFolderOfEachProcessHasANumberOfItsOwn() throws Exception {
        List<ProcEntry> entries = new ProcListing().entries();

        assertThat(entries)
                .extracting(ProcEntry::pid)
                .doesNotHaveDuplicates()
                .contains(ProcessHandle.current().pid());
        if (entries.get(0).instance() != ProcEntry.UNKNOWN) {
            assertThat(entries).extracting(ProcEntry::instance).doesNotHaveDuplicates();
        }
    }
}
