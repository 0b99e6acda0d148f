package dev.loopkeeper.process;

import static java.util.stream.Collectors.toUnmodifiableSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import dev.loopkeeper.work.LibC;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Children of this process, really started. */
@Isolated("reads the log of the process, or changes what it has once")
class ChildWatchTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int TERM = 15;

    @TempDir
    private Path folder;

    /** Calls of the C library that fail now, as on a machine in trouble. */
    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    private LibC troubled() {
        return (LibC) Proxy.newProxyInstance(
                LibC.class.getClassLoader(), new Class<?>[] {LibC.class}, (proxy, method, arguments) -> {
                    if (!failing.contains(method.getName())) {
                        try {
                            return method.invoke(LibC.get(), arguments);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    }
                    Native.setLastError(24);
                    return method.getReturnType() == int.class ? (Object) Integer.valueOf(-1) : new NativeLong(-1);
                });
    }

    private SpawnedChild start(PosixSpawn spawn, boolean held, String... words) throws IOException {
        return spawn.start(new ProcessBuilder(words).directory(folder.toFile()), held);
    }

    private static String line(StartedLauncher child) throws Exception {
        return child.told().toCompletableFuture().get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private static void untilGone(StartedLauncher child) throws Exception {
        child.gone().toCompletableFuture().get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(child.lives()).isFalse();
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("loopkeeper-children"))
                .collect(toUnmodifiableSet());
    }

    /** Pipes and handles of processes that this process has open, each as {@code descriptor target}. */
    private static Set<String> descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.map(descriptor -> descriptor.getFileName() + " " + target(descriptor))
                    .filter(open -> open.contains("pipe:") || open.contains("pidfd"))
                    .collect(toUnmodifiableSet());
        }
    }

    private static void untilNoneIsNew(Set<String> before) {
        await().atMost(SOON).untilAsserted(() -> assertThat(before).containsAll(descriptors()));
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    @Test
    void tellsTheFirstLineAndTheEnd() throws Exception {
        PosixSpawn spawn = new PosixSpawn(new ChildWatch(LibC::get));

        SpawnedChild child =
                start(spawn, false, "/bin/sh", "-c", "echo one; echo two; while [ ! -e leave ]; do sleep 0.02; done");

        assertThat(line(child)).isEqualTo("one");
        assertThat(child.lives()).isTrue();
        Files.createFile(folder.resolve("leave"));
        untilGone(child);
        assertThat(Path.of("/proc/" + child.pid)).doesNotExist();
    }

    @Test
    void manyChildrenNeedOneThreadAndLeaveNoDescriptor() throws Exception {
        Set<String> before = descriptors();
        Set<Thread> others = threads();
        PosixSpawn spawn = new PosixSpawn(new ChildWatch(LibC::get));
        List<SpawnedChild> children = new ArrayList<>();

        for (int child = 0; child < 30; child++) {
            children.add(start(spawn, true, "/bin/sh", "-c", "echo up; cat; exit 3"));
        }
        for (SpawnedChild child : children) {
            assertThat(line(child)).isEqualTo("up");
        }
        // Some of the others may end meanwhile.
        assertThat(threads()).filteredOn(thread -> !others.contains(thread)).hasSize(1);
        for (SpawnedChild child : children) {
            assertThat(LibC.get().kill(child.pid, TERM)).isZero();
        }
        for (SpawnedChild child : children) {
            untilGone(child);
        }

        untilNoneIsNew(before);
    }

    /** It would wait for ever, and so would the run. */
    @Test
    void aChildWhoseHandleCannotBeHadIsAskedUntilItEnds() throws Exception {
        PosixSpawn spawn = new PosixSpawn(new ChildWatch(this::troubled));
        failing.add("syscall");

        SpawnedChild asked = start(spawn, false, "/bin/sh", "-c", "echo one; exit 3");
        SpawnedChild later =
                start(spawn, false, "/bin/sh", "-c", "echo one; while [ ! -e leave ]; do sleep 0.02; done");

        assertThat(line(asked)).isEqualTo("one");
        untilGone(asked);
        failing.clear();
        await().atMost(SOON).until(() -> later.handle >= 0);
        Files.createFile(folder.resolve("leave"));
        untilGone(later);
    }

    @Test
    void aWaitThatFailsIsNoSilence() throws Exception {
        PosixSpawn spawn = new PosixSpawn(new ChildWatch(this::troubled));
        failing.addAll(Set.of("epoll_create1", "epoll_wait"));

        SpawnedChild child = start(spawn, false, "/bin/sh", "-c", "echo one");

        assertThat(line(child)).isEqualTo("one");
        untilGone(child);
        failing.clear();
        SpawnedChild next = start(spawn, false, "/bin/sh", "-c", "echo two");
        assertThat(line(next)).isEqualTo("two");
        untilGone(next);
    }

    @Test
    void aProgramThatIsNotThereOrAFolderThatIsNoneIsRefused() throws Exception {
        Set<String> before = descriptors();
        PosixSpawn spawn = new PosixSpawn(new ChildWatch(LibC::get));

        assertThatThrownBy(() -> start(spawn, true, "/no/such/program"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/no/such/program");
        assertThatThrownBy(() -> spawn.start(
                        new ProcessBuilder("/bin/true")
                                .directory(folder.resolve("absent").toFile()),
                        false))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> start(spawn, false, "/bin/true", "a\0b")).hasMessageContaining("null character");
        untilNoneIsNew(before);
    }

    @Test
    void whatIsNoTextIsLeftToJava() {
        assertThat(PosixSpawn.canHandOver(Map.of("A", "b"))).isTrue();
        assertThat(PosixSpawn.canHandOver(Map.of("A", "\uFFFD"))).isFalse();
    }
}
