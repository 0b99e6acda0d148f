package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedRootsTest {
    private static final int NODES = 4;
    private static final int ROUNDS = 200;

    @TempDir
    private Path folder;

    /** One that read the mark of another before it was written kept the others out. */
    @Test
    void nodesThatStartTogetherFindOneMark() throws Exception {
        ExecutorService nodes = Executors.newFixedThreadPool(NODES);
        CyclicBarrier together = new CyclicBarrier(NODES);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                Path root = Files.createDirectory(folder.resolve("root-" + round));
                Set<String> marks = new HashSet<>();
                for (Future<String> mark : IntStream.range(0, NODES)
                        .mapToObj(node -> nodes.submit(() -> {
                            int unused = together.await();
                            return SharedRoots.mark(root);
                        }))
                        .toList()) {
                    marks.add(mark.get());
                }
                assertThat(marks).hasSize(1).doesNotContain("");
                assertThat(names(root)).containsExactly(".loopkeeper-root");
            }
        } finally {
            nodes.shutdown();
        }
    }

    private static Set<String> names(Path root) throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return new HashSet<>(
                    files.map(file -> file.getFileName().toString()).toList());
        }
    }

    @Test
    void anEmptyMarkIsRefusedWithItsRemedy() throws IOException {
        Files.createFile(folder.resolve(".loopkeeper-root"));

        assertThatThrownBy(() -> SharedRoots.mark(folder))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("has an empty .loopkeeper-root; remove it");
    }
}
