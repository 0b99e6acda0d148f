package dev.loopkeeper.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scans a workspace of many files that is unchanged, and at one in which a few changed, each beside a plain walk that
 * requests the facts of every file and does nothing with them. {@code mvn -Pbench test} runs it;
 * {@code -Dloopkeeper.bench.files=50000} is the default size.
 */
class WorkspaceBenchmark {
    private static final int FILES = Integer.getInteger("loopkeeper.bench.files", 50_000);
    private static final int CHANGED = FILES / 1000;
    private static final int ROUNDS = 4;
    private static final int IN_FOLDER = 50;
    private static final int BYTES = 4096;

    @TempDir
    private Path folder;

    private final WorkspaceDigest digest = new WorkspaceDigest(
            Clock.offset(Clock.systemUTC(), Duration.ofHours(1)),
            new WorkspaceDigest.Limits(Long.MAX_VALUE, Duration.ofMinutes(5)),
            "git");

    private interface Work {
        void run() throws IOException;
    }

    @Test
    void measuresLooksAgainstAPlainWalk() throws Exception {
        Path workspace = folder.resolve("workspace");
        for (int file = 0; file < FILES; file++) {
            write(workspace, file, 0);
        }
        compare("plain folder", workspace, FILES);
        assertThat(new ProcessBuilder("git", "init", "-q", workspace.toString())
                        .start()
                        .waitFor())
                .isZero();
        compare("git, nothing tracked", workspace, 0);
        assertThat(new ProcessBuilder("git", "-C", workspace.toString(), "add", ".")
                        .start()
                        .waitFor())
                .isZero();
        compare("git, all staged", workspace, 0);
    }

    private void compare(String kind, Path workspace, int unknown) throws IOException {
        double first = millis(() -> look(workspace, unknown));
        System.out.printf(Locale.ROOT, "%s: the first look, which reads %d, %.0f ms%n", kind, unknown, first);
        for (int round = 1; round <= ROUNDS; round++) {
            double walked = millis(() -> walk(workspace));
            double unchanged = millis(() -> look(workspace, 0));
            for (int file = 0; file < CHANGED; file++) {
                write(workspace, file * 1000, round);
            }
            double changed = millis(() -> look(workspace, CHANGED));
            System.out.printf(
                    Locale.ROOT,
                    "%s, round %d: %d files, plain walk %.0f ms; unchanged %.0f ms, %.2f of a walk;"
                            + " %d changed %.0f ms, %.2f of a walk%n",
                    kind,
                    round,
                    FILES,
                    walked,
                    unchanged,
                    unchanged / walked,
                    CHANGED,
                    changed,
                    changed / walked);
        }
    }

    private static void write(Path workspace, int file, int content) throws IOException {
        Path parent = workspace.resolve("a" + file / (IN_FOLDER * IN_FOLDER)).resolve("b" + file / IN_FOLDER);
        if (content == 0 && file % IN_FOLDER == 0) {
            Files.createDirectories(parent);
        }
        byte[] bytes = new byte[BYTES];
        bytes[0] = (byte) content;
        bytes[1] = (byte) file;
        Files.write(parent.resolve("file-" + file), bytes);
    }

    private void look(Path workspace, int read) throws IOException {
        WorkspaceDigest.Taken taken = digest.take(workspace, folder.resolve("no-data"), List.of());
        assertThat(taken.read()).isEqualTo(read);
    }

    private static void walk(Path workspace) throws IOException {
        int[] seen = new int[1];
        Files.walkFileTree(workspace, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path entry, BasicFileAttributes facts) {
                return entry.endsWith(".git") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes facts) {
                seen[0]++;
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(seen[0]).isEqualTo(FILES);
    }

    private static double millis(Work work) throws IOException {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e6;
    }
}
