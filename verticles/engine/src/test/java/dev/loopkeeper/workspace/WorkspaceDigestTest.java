package dev.loopkeeper.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.data.LockedFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceDigestTest {
    /** By this clock every file has long been as it is. */
    private static final Clock LATER = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));

    @TempDir
    private Path folder;

    private Path workspace;
    private Path data;
    private Clock clock = LATER;
    private final WorkspaceDigest digest = digest(WorkspaceDigest.Limits.DEFAULTS, "git");

    @BeforeEach
    void folders() throws IOException {
        workspace = Files.createDirectory(folder.resolve("workspace"));
        data = Files.createDirectory(folder.resolve("data"));
    }

    /** By the clock of this test. */
    private WorkspaceDigest digest(WorkspaceDigest.Limits limits, String git) {
        Clock now = new Clock() {
            @Override
            public Instant instant() {
                return clock.instant();
            }

            @Override
            public ZoneId getZone() {
                return clock.getZone();
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return clock.withZone(zone);
            }
        };
        return new WorkspaceDigest(now, limits, git);
    }

    private WorkspaceDigest.Taken take() throws IOException {
        return digest.take(workspace, data, List.of());
    }

    private String hash() throws IOException {
        return take().hash();
    }

    @CanIgnoreReturnValue
    private Path write(String name, String text) throws IOException {
        Path file = workspace.resolve(name);
        Files.createDirectories(file.getParent());
        if (!Files.exists(file)) {
            return Files.writeString(file, text);
        }
        // By the clock of these tests a change long ago: the time of two of them must not be one tick of the kernel.
        Object before = Files.getAttribute(file, "unix:ctime");
        do {
            Files.writeString(file, text);
        } while (Files.getAttribute(file, "unix:ctime").equals(before));
        return file;
    }

    private void git(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=a@b"));
        command.addAll(List.of(words));
        Process git = new ProcessBuilder(command)
                .directory(workspace.toFile())
                .redirectErrorStream(true)
                .start();
        String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as(text).isZero();
    }

    /** Each of these is a change, and to take it back is none. */
    @Test
    void seesEveryKindOfChange() throws Exception {
        write("a/b/one", "1");
        write("two", "2");
        List<String> seen = new ArrayList<>(List.of(hash()));

        write("two", "3");
        seen.add(hash());
        write("a/b/new", "");
        seen.add(hash());
        Files.delete(workspace.resolve("a/b/one"));
        seen.add(hash());
        Files.move(workspace.resolve("two"), workspace.resolve("three"));
        seen.add(hash());
        Files.setPosixFilePermissions(workspace.resolve("three"), PosixFilePermissions.fromString("rwxr--r--"));
        seen.add(hash());
        Files.createSymbolicLink(workspace.resolve("link"), Path.of("three"));
        seen.add(hash());
        Files.delete(workspace.resolve("link"));
        Files.createSymbolicLink(workspace.resolve("link"), Path.of("nowhere"));
        seen.add(hash());
        Files.delete(workspace.resolve("link"));
        assertThat(hash()).isEqualTo(seen.get(5));

        assertThat(seen).doesNotHaveDuplicates();
    }

    @Test
    void aTouchIsNoChangeHoweverLargeTheFile() throws Exception {
        Path large = workspace.resolve("large");
        Files.write(large, new byte[5 << 20]);
        String before = hash();

        Files.setLastModifiedTime(large, FileTime.from(Instant.EPOCH));

        WorkspaceDigest.Taken after = take();
        assertThat(after.hash()).isEqualTo(before);
        assertThat(after.read()).isEqualTo(1);
    }

    @Test
    void seesAChangeAmongTwentyThousandFiles() throws Exception {
        for (int file = 0; file < 20_500; file++) {
            Files.createDirectories(workspace.resolve("d" + file / 1000));
            Files.createFile(workspace.resolve("d" + file / 1000).resolve("f" + file));
        }
        Path last = write("zz/last", "a");
        String before = hash();

        Files.writeString(last, "b");

        WorkspaceDigest.Taken after = take();
        assertThat(after.hash()).isNotEqualTo(before);
        assertThat(after.files()).isEqualTo(20_501);
        assertThat(after.read()).isEqualTo(1);
    }

    @Test
    void readsAgainOnlyWhatChanged() throws Exception {
        write("a", "1");
        write("b", "2");
        write("c", "3");
        WorkspaceDigest.Taken first = take();
        assertThat(first.read()).isEqualTo(3);

        WorkspaceDigest.Taken second = take();
        assertThat(second.read()).isZero();
        assertThat(second.hash()).isEqualTo(first.hash());

        write("b", "4");
        WorkspaceDigest.Taken third = take();
        assertThat(third.read()).isEqualTo(1);
        assertThat(third.hash()).isNotEqualTo(first.hash());
    }

    @Test
    void aFileReadInTheTickOfItsChangeIsReadAgain() throws Exception {
        Path file = write("a", "1");
        Instant changed = ((FileTime) Files.getAttribute(file, "unix:ctime")).toInstant();
        Clock sameTick = Clock.fixed(changed, Clock.systemUTC().getZone());
        Clock backward = Clock.offset(sameTick, Duration.ofHours(-1));

        for (Clock now : List.of(sameTick, backward, Clock.offset(sameTick, Duration.ofSeconds(1)))) {
            clock = now;
            assertThat(take().read()).isEqualTo(1);
        }
        clock = Clock.offset(sameTick, Duration.ofSeconds(3));
        assertThat(take().read()).isEqualTo(1);
        clock = sameTick;
        assertThat(take().read()).isZero();
    }

    @Test
    void noChangeOfTheSameSizeIsEverMissed() throws Exception {
        clock = Clock.systemUTC();
        Path file = write("a", "0");
        String before = hash();
        for (int change = 1; change < 300; change++) {
            Files.writeString(file, String.valueOf(change % 10));
            String after = hash();
            assertThat(after).as("change " + change).isNotEqualTo(before);
            before = after;
        }
    }

    @Test
    void seesAReplacedFileOfTheSameTimeAndSize() throws Exception {
        Path file = write("a", "1");
        String before = hash();
        Path other = Files.writeString(folder.resolve("other"), "2");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));

        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

        assertThat(hash()).isNotEqualTo(before);
    }

    @Test
    void whatGitIgnoresDoesNotCountAndWhatItWouldAddDoes() throws Exception {
        git("init", "-q");
        write(".gitignore", "out/\n*.log\n!kept.log\n");
        write("src/main", "1");
        git("add", ".");
        git("commit", "-q", "-m", "one");
        String before = hash();

        write("out/made", "1");
        write("src/a.log", "1");
        assertThat(hash()).isEqualTo(before);
        write("src/kept.log", "1");
        assertThat(hash()).isNotEqualTo(before);
        Files.delete(workspace.resolve("src/kept.log"));
        assertThat(hash()).isEqualTo(before);
        write("ümläut\nand a line", "1");
        assertThat(hash()).isNotEqualTo(before);
        Files.delete(workspace.resolve("ümläut\nand a line"));

        git("commit", "-q", "--allow-empty", "-m", "two");
        assertThat(hash()).isNotEqualTo(before);
    }

    @Test
    void whatIsTrackedCountsAlsoWhereItIsIgnored() throws Exception {
        git("init", "-q");
        write(".gitignore", "out/\n");
        write("out/tracked", "1");
        git("add", "-f", "out/tracked");
        String before = hash();

        write("out/tracked", "2");

        assertThat(hash()).isNotEqualTo(before);
    }

    @Test
    void aRepositoryWithinTheWorkspaceCounts() throws Exception {
        git("init", "-q");
        write("inner/.gitignore", "made\n");
        write("inner/file", "1");
        git("-C", "inner", "init", "-q");
        String before = hash();

        write("inner/made", "1");
        assertThat(hash()).isEqualTo(before);
        write("inner/file", "2");
        assertThat(hash()).isNotEqualTo(before);
    }

    @Test
    void readsAFolderOfARepositoryByItsIgnoreRules() throws Exception {
        git("init", "-q");
        write(".gitignore", "made\nignored/\n");
        write("part/file", "1");
        write("ignored/file", "1");
        Path whole = workspace;

        workspace = whole.resolve("part");
        String part = hash();
        write("made", "1");
        assertThat(hash()).isEqualTo(part);
        workspace = whole.resolve("ignored");
        String ignored = hash();
        write("file", "2");
        assertThat(hash()).isNotEqualTo(ignored);
    }

    @Test
    void aFolderThatBecameALinkIsNotFollowed() throws Exception {
        git("init", "-q");
        write("a/file", "1");
        git("add", ".");
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("file"), "1");
        Files.delete(workspace.resolve("a/file"));
        Files.delete(workspace.resolve("a"));
        Files.createSymbolicLink(workspace.resolve("a"), outside);
        String before = hash();

        Files.writeString(outside.resolve("file"), "2");

        assertThat(hash()).isEqualTo(before);
    }

    @Test
    void withoutGitARepositoryIsLookedThroughPlainly() throws Exception {
        git("init", "-q");
        write(".gitignore", "out/\n");
        write("out/made", "1");
        for (String absent : List.of("no-such-git", "false")) {
            WorkspaceDigest without = digest(WorkspaceDigest.Limits.DEFAULTS, absent);
            String before = without.take(workspace, data, List.of()).hash();
            write("out/made", "2" + absent);
            assertThat(without.take(workspace, data, List.of()).hash()).isNotEqualTo(before);
        }
    }

    @Test
    void signalsAndControlFilesDoNotCount() throws Exception {
        for (boolean repository : new boolean[] {false, true}) {
            if (repository) {
                git("init", "-q");
            }
            write("file", "1");
            String before = hash();
            write(".loopkeeper/dev.json", "{}" + repository);
            write("deep/er/.loopkeeper/control/a.json", "{}" + repository);
            assertThat(hash()).isEqualTo(before);
        }
    }

    @Test
    void theDataFolderDoesNotCountWhateverItsName() throws Exception {
        for (boolean repository : new boolean[] {false, true}) {
            if (repository) {
                git("init", "-q");
            }
            Path inside = workspace.resolve("data-" + repository);
            Path links = Files.createDirectories(workspace.resolve("links-" + repository));
            data = Files.createDirectories(inside);
            Files.createDirectories(data.resolve("runs/a-run"));
            LockedFiles.hold(data);
            try {
                Files.writeString(data.resolve("events.db"), "1");
                Files.createSymbolicLink(links.resolve("data"), data);
                Files.createLink(links.resolve("copy.db"), data.resolve("events.db"));
                WorkspaceDigest.Taken before = take();
                Files.writeString(data.resolve("events.db"), "2");
                Files.writeString(data.resolve("events.db-wal"), "2");
                Files.writeString(data.resolve("runs/a-run/log"), "2");
                WorkspaceDigest.Taken after = take();
                assertThat(after.hash()).isEqualTo(before.hash());
                assertThat(after.read()).isZero();
            } finally {
                LockedFiles.release(data);
            }
        }
    }

    @Test
    void inAWorkspaceThatIsTheDataFolderOnlyLoopkeepersOwnIsLeftOut() throws Exception {
        data = workspace;
        write("package.json", "1");
        write("events.db", "1");
        String before = hash();

        write("events.db", "2");
        write("runs/a-run/log", "2");
        write(".ready12.probe", "2");
        assertThat(hash()).isEqualTo(before);
        write("package.json", "2");
        assertThat(hash()).isNotEqualTo(before);
    }

    @Test
    void whatCannotBeReadIsUnknownAndNotAbsent() throws Exception {
        Path sealed = write("sealed", "1");
        Path closed = write("closed/file", "1").getParent();
        String open = hash();
        Files.setPosixFilePermissions(sealed, PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        assumeTrue(!Files.isReadable(sealed), "an almighty user reads everything");
        try {
            WorkspaceDigest.Taken unknown = take();
            assertThat(unknown.hash()).isNotEqualTo(open).isEqualTo(hash());
            assertThat(unknown.unread()).isEqualTo(1);
            Files.setPosixFilePermissions(sealed, PosixFilePermissions.fromString("-w-------"));
            Files.writeString(sealed, "2");
            assertThat(hash()).isNotEqualTo(unknown.hash());
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void whatIsNotReadInTimeCountsBySizeAndTime() throws Exception {
        WorkspaceDigest late = digest(new WorkspaceDigest.Limits(Long.MAX_VALUE, Duration.ZERO), "git");
        Path large = workspace.resolve("large");
        Files.write(large, new byte[8 << 20]);
        WorkspaceDigest.Taken before = late.take(workspace, data, List.of());

        assertThat(before.unread()).isEqualTo(1);
        assertThat(late.take(workspace, data, List.of()).hash()).isEqualTo(before.hash());
        Files.setLastModifiedTime(large, FileTime.from(Instant.EPOCH));
        assertThat(late.take(workspace, data, List.of()).hash()).isNotEqualTo(before.hash());
    }

    /** What a look reads must not depend on what an earlier one has read: an unchanged workspace would look changed. */
    @Test
    void beyondTheLimitTheLargestFilesCountBySizeAndTimeAtEachLook() throws Exception {
        for (boolean repository : new boolean[] {false, true}) {
            if (repository) {
                git("init", "-q");
            }
            write("a-large-one", "1".repeat(60));
            write("small", "1".repeat(20));
            write("smaller", "1".repeat(19));
            WorkspaceDigest limited = digest(new WorkspaceDigest.Limits(64, Duration.ofMinutes(1)), "git");
            WorkspaceDigest.Taken before = limited.take(workspace, data, List.of());
            assertThat(before.unread()).isEqualTo(1);
            assertThat(limited.take(workspace, data, List.of()).hash()).isEqualTo(before.hash());

            write("small", "2".repeat(20));
            String other = limited.take(workspace, data, List.of()).hash();
            assertThat(other).isNotEqualTo(before.hash());
            write("a-large-one", "2".repeat(60));
            assertThat(limited.take(workspace, data, List.of()).hash()).isNotEqualTo(other);
        }
    }

    @Test
    void aPipeIsNotOpened() throws Exception {
        Process made = new ProcessBuilder("mkfifo", workspace.resolve("pipe").toString()).start();
        assertThat(made.waitFor()).isZero();

        assertThat(hash()).isEqualTo(hash());
    }

    @Test
    void aWorkspaceThatIsGoneIsUnknown() throws Exception {
        Files.delete(workspace);

        assertThatThrownBy(this::take).isInstanceOf(NoSuchFileException.class);
    }
}
