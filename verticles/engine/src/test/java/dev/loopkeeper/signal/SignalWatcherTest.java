package dev.loopkeeper.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.SignalChannels;
import dev.loopkeeper.contract.SignalChannels.PrepareSignal;
import dev.loopkeeper.contract.SignalChannels.ReadSignal;
import dev.loopkeeper.contract.SignalChannels.SignalLocation;
import dev.loopkeeper.contract.SignalChannels.SignalSeen;
import dev.loopkeeper.contract.SignalChannels.WatchSignal;
import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.verdict.SignalExpectation;
import dev.loopkeeper.verdict.SignalReader;
import dev.loopkeeper.verdict.SignalReading;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignalWatcherTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String DONE = "{\"determination\":\"SUCCESS\"}";
    private static final SignalExpectation ANY = new SignalExpectation("nonce", Optional.empty(), Optional.empty());

    @TempDir
    Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final List<SignalSeen> seen = new CopyOnWriteArrayList<>();
    private Path data;
    private Path workspace;
    private SignalLocation location;
    private Path file;

    @BeforeEach
    void deploy() throws IOException {
        data = Files.createDirectory(folder.resolve("data"));
        workspace = Files.createDirectory(folder.resolve("workspace"));
        location = location(".loopkeeper/dev.json");
        file = workspace.resolve(".loopkeeper/dev.json");
        RecordCodec.register(vertx);
        var unused = SignalChannels.SEEN.listen(vertx.eventBus(), seen::add);
        done(vertx.deployVerticle(new SignalWatcherVerticle(data)));
    }

    @AfterEach
    void close() {
        done(vertx.close());
    }

    @Test
    void preparesTheFolderAndMovesALeftoverAside() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "old");

        ask(SignalChannels.PREPARE, new PrepareSignal(location));

        Path moved = stepFolder().resolve("leftover-signal.json");
        assertThat(moved).hasContent("old");
        assertThat(file).doesNotExist();
        assertThat(file.getParent()).isDirectory();
    }

    @Test
    void aSignalWrittenAfterAMoveIsNewerThanTheRecordedTime() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "old");
        Files.setLastModifiedTime(file.getParent(), FileTime.from(Instant.EPOCH));

        ask(SignalChannels.PREPARE, new PrepareSignal(location));
        Files.writeString(file, DONE);

        assertThat(preparedAt())
                .isAfter(Instant.EPOCH)
                .isBeforeOrEqualTo(Files.getLastModifiedTime(file).toInstant());
    }

    /** One that was unpacked from elsewhere may carry any time, and a rename need not change what is later already. */
    @Test
    void aFolderThatSaysItIsOfTheFutureMakesNoSignalOld() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "old");
        Files.setLastModifiedTime(file.getParent(), FileTime.from(Instant.now().plus(Duration.ofDays(400))));

        ask(SignalChannels.PREPARE, new PrepareSignal(location));
        Files.writeString(file, DONE);

        assertThat(preparedAt())
                .isBeforeOrEqualTo(Files.getLastModifiedTime(file).toInstant());
    }

    private Instant preparedAt() throws IOException {
        return Instant.parse(Files.readString(stepFolder().resolve("signal-prepared-at")));
    }

    @Test
    void neverTakesTheSignalOfAStepThatWasLaunched() throws IOException {
        Files.createDirectories(stepFolder());
        Files.writeString(stepFolder().resolve("claim.json"), "{}");
        Files.createDirectories(file.getParent());
        Files.writeString(file, DONE);

        ask(SignalChannels.PREPARE, new PrepareSignal(location));

        assertThat(file).hasContent(DONE);
    }

    @Test
    void refusesAPlaceOutsideTheWorkspace() throws IOException {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.createSymbolicLink(workspace.resolve("link"), outside);

        assertThatThrownBy(() -> ask(SignalChannels.PREPARE, new PrepareSignal(location("link/sub/dev.json"))))
                .hasMessageContaining("leads out of the workspace");
        assertThatThrownBy(() -> ask(SignalChannels.PREPARE, new PrepareSignal(location("../outside/dev.json"))))
                .hasMessageContaining("leads out of the workspace");
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void saysOfAWorkspaceThatIsGoneWhatIsMissing() throws IOException {
        Files.delete(workspace);

        assertThatThrownBy(() -> ask(SignalChannels.PREPARE, new PrepareSignal(location)))
                .hasMessageContaining("workspace " + workspace + " no longer exists; create it");
    }

    @Test
    void refusesAFolder() throws IOException {
        Files.createDirectories(file);

        assertThatThrownBy(() -> ask(SignalChannels.PREPARE, new PrepareSignal(location)))
                .hasMessageContaining("is a folder");
    }

    @Test
    void reportsACompleteSignalOnceAndNoPartialOne() throws IOException {
        ask(SignalChannels.PREPARE, new PrepareSignal(location));
        ask(SignalChannels.WATCH, new WatchSignal(location));
        Files.writeString(file, "{\"determination\":");
        replace("{\"determination\":\"PROGRESS\"}");
        awaitSeen(1);
        replace(DONE);
        awaitSeen(2);
        replace("{\"determination\":\"PROGRESS\"}");
        replace("[1]");
        replace("{\"status\":\"completed\"}");

        awaitSeen(3);

        assertThat(seen)
                .extracting(SignalWatcherTest::text)
                .containsExactly("{\"determination\":\"PROGRESS\"}", DONE, "{\"status\":\"completed\"}");
    }

    @Test
    void reportsTheFirstAndTheNewestOfQuickSignals() throws IOException {
        ask(SignalChannels.PREPARE, new PrepareSignal(location));
        ask(SignalChannels.WATCH, new WatchSignal(location));
        replace("{\"determination\":\"PROGRESS\"}");
        awaitSeen(1);
        for (String concern : List.of("a", "b", "c")) {
            replace("{\"determination\":\"PROGRESS\",\"keyConcern\":\"" + concern + "\"}");
        }

        awaitSeen(2);

        assertThat(seen)
                .hasSize(2)
                .last()
                .extracting(SignalWatcherTest::text)
                .asString()
                .contains("\"c\"");
    }

    @Test
    void seesASignalInAFolderThatWasRemovedAndMadeAgain() throws IOException {
        ask(SignalChannels.PREPARE, new PrepareSignal(location));
        ask(SignalChannels.WATCH, new WatchSignal(location));
        Files.delete(file.resolveSibling(".gitignore"));
        Files.delete(file.getParent());
        Files.createDirectories(file.getParent());
        Files.writeString(file, DONE);

        awaitSeen(1);
    }

    @Test
    void theFinalReadAnswersWithTheBytesKeepsACopyAndEndsTheWatching() throws IOException {
        ask(SignalChannels.PREPARE, new PrepareSignal(location));
        ask(SignalChannels.WATCH, new WatchSignal(location));
        Files.writeString(file, DONE);

        SignalReading content = ask(SignalChannels.READ, new ReadSignal(location));
        replace("{\"status\":\"partial\"}");
        SignalLocation other = new SignalLocation("run-1", "other", workspace.toString(), location.file(), ANY);
        ask(SignalChannels.WATCH, new WatchSignal(other));
        await().atMost(SOON)
                .until(() -> seen.stream().anyMatch(signal -> signal.stepId().equals("other")));

        assertThat(text(((SignalReading.Valid) content).signal())).isEqualTo(DONE);
        assertThat(stepFolder().resolve("signal.json")).hasContent(DONE);
        assertThat(seen)
                .filteredOn(signal -> signal.stepId().equals(location.stepId()))
                .extracting(SignalWatcherTest::text)
                .doesNotContain("{\"status\":\"partial\"}");
    }

    @Test
    void anAbsentFileIsAbsentAndAnEmptyOneIsEmpty() throws IOException {
        ask(SignalChannels.PREPARE, new PrepareSignal(location));

        SignalReading absent = ask(SignalChannels.READ, new ReadSignal(location));
        Files.createFile(file);
        SignalReading empty = ask(SignalChannels.READ, new ReadSignal(location));

        assertThat(invalid(absent).detail()).isEqualTo(SignalDetail.ABSENT);
        assertThat(invalid(empty).detail()).isEqualTo(SignalDetail.EMPTY);
    }

    @Test
    void readsNoMoreThanItsLimit() throws IOException {
        ask(SignalChannels.PREPARE, new PrepareSignal(location));
        Files.write(file, new byte[3 * SignalReader.MAX_BYTES]);

        assertThat(invalid(ask(SignalChannels.READ, new ReadSignal(location))).message())
                .isEqualTo("the file is larger than " + SignalReader.MAX_BYTES + " bytes");
        assertThat(stepFolder().resolve("signal.json")).hasSize(SignalReader.MAX_BYTES + 1);
    }

    @Test
    void aPipeADeviceOrAnOutsideLinkIsNoSignalAndBlocksNothing() throws Exception {
        ask(SignalChannels.PREPARE, new PrepareSignal(location));
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        ask(SignalChannels.WATCH, new WatchSignal(location));
        SignalReading pipe = ask(SignalChannels.READ, new ReadSignal(location));
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("/dev/zero"));
        SignalReading device = ask(SignalChannels.READ, new ReadSignal(location));

        assertThat(invalid(pipe).message()).contains("not a regular file");
        assertThat(invalid(device).message()).contains("leads out of the workspace");
    }

    /** The reason was the name of a Java exception, or the path once more. */
    @Test
    void reportsAnUnreadableSignalInWords() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, DONE);
        Files.setPosixFilePermissions(file, Set.of());
        SignalReading locked = ask(SignalChannels.READ, new ReadSignal(location));
        Optional<String> expected =
                Files.isReadable(file) ? Optional.empty() : Optional.of(BlockedPath.unreadable(file));
        Files.delete(file);
        Files.delete(file.getParent());
        Files.delete(workspace);
        SignalReading homeless = ask(SignalChannels.READ, new ReadSignal(location));

        assertThat(locked).isInstanceOfAny(SignalReading.Valid.class, SignalReading.Invalid.class);
        expected.ifPresent(why -> assertThat(invalid(locked).message()).isEqualTo(why));
        assertThat(invalid(homeless))
                .isEqualTo(new SignalReading.Invalid(
                        SignalDetail.MALFORMED, "workspace " + workspace + " no longer exists"));
    }

    /** The old file was read as the step's own: SUCCESS of an agent that never ran. */
    @Test
    void aStaleThatCannotBeMovedIsRefusedWithTheRemedy() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, DONE);
        Files.createDirectories(stepFolder().resolve("leftover-signal.json/in the way"));
        Files.createDirectories(file.resolveSibling("dev.json.leftover/in the way"));

        assertThatThrownBy(() -> ask(SignalChannels.PREPARE, new PrepareSignal(location)))
                .hasMessageContaining("the old signal file " + file)
                .hasMessageContaining("owned by " + Files.getOwner(file).getName())
                .hasMessageContaining("remove the file");
        assertThat(file).hasContent(DONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "dangling link", "ring of links", "pipe"})
    void whatLiesWhereItsFolderMustBeIsNamedWithItsOwner(String kind) throws Exception {
        Path own = workspace.resolve(".loopkeeper");
        switch (kind) {
            case "file" -> Files.writeString(own, "");
            case "dangling link" -> Files.createSymbolicLink(own, Path.of("nowhere/else"));
            case "ring of links" -> Files.createSymbolicLink(own, own);
            default ->
                assertThat(new ProcessBuilder("mkfifo", own.toString()).start().waitFor())
                        .isZero();
        }

        assertThatThrownBy(() -> ask(SignalChannels.PREPARE, new PrepareSignal(location)))
                .hasMessageContaining(own + " is ")
                .hasMessageContaining("owned by "
                        + Files.getOwner(own, LinkOption.NOFOLLOW_LINKS).getName())
                .hasMessageContaining("rename or remove it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring of links", "dangling link"})
    void aStaleLinkIsMovedAsideItself(String kind) throws IOException {
        Files.createDirectories(file.getParent());
        Files.createSymbolicLink(file, kind.startsWith("ring") ? file : Path.of("nowhere"));

        ask(SignalChannels.PREPARE, new PrepareSignal(location));

        assertThat(file).doesNotExist();
    }

    /** Two branches whose agents had committed everything conflicted in nothing but their signal files. */
    @Test
    void gitIgnoresTheOwnFolderUnlessAPersonSaysOtherwise() throws IOException {
        ask(SignalChannels.PREPARE, new PrepareSignal(location));
        Path ignore = workspace.resolve(".loopkeeper/.gitignore");
        assertThat(ignore).hasContent("*\n");

        Files.writeString(ignore, "!keep.json\n");
        ask(SignalChannels.PREPARE, new PrepareSignal(location));

        assertThat(ignore).hasContent("!keep.json\n");
    }

    @Test
    void gitIgnoresAnOwnFolderBelowTheWorkspaceToo() {
        ask(SignalChannels.PREPARE, new PrepareSignal(location("sub/.loopkeeper/dev/signal.json")));

        assertThat(workspace.resolve("sub/.loopkeeper/.gitignore")).hasContent("*\n");
        assertThat(workspace.resolve("sub/.gitignore")).doesNotExist();
    }

    @Test
    void aStalePipeIsMovedAsideToo() throws Exception {
        Files.createDirectories(file.getParent());
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();

        ask(SignalChannels.PREPARE, new PrepareSignal(location));

        assertThat(file).doesNotExist();
    }

    @Test
    void aDatabaseFileIsNeitherMovedNorRead() throws IOException {
        Path database = Files.writeString(data.resolve("events.db"), DONE);
        LockedFiles.hold(data);
        try {
            Files.createDirectories(file.getParent());
            Files.createLink(file, database);

            assertThatThrownBy(() -> ask(SignalChannels.PREPARE, new PrepareSignal(location)))
                    .hasMessageContaining("belongs to Loopkeeper's event store");
            SignalReading content = ask(SignalChannels.READ, new ReadSignal(location));

            assertThat(file).exists();
            assertThat(invalid(content).message()).contains("event store");
        } finally {
            LockedFiles.release(data);
        }
    }

    private SignalLocation location(String relative) {
        return new SignalLocation("run-1", "build.1.dev.1", workspace.toString(), relative, ANY);
    }

    private Path stepFolder() {
        return StepFiles.of(data, location.runId(), location.stepId()).path();
    }

    private void replace(String content) throws IOException {
        Path draft = file.resolveSibling("draft");
        Files.writeString(draft, content);
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private void awaitSeen(int count) {
        await().pollInterval(Duration.ofMillis(5)).atMost(SOON).until(() -> seen.size() >= count);
    }

    private static String text(SignalSeen seen) {
        return text(seen.signal());
    }

    private static String text(Signal signal) {
        return signal.raw().toString();
    }

    private static SignalReading.Invalid invalid(SignalReading reading) {
        return (SignalReading.Invalid) reading;
    }

    @CanIgnoreReturnValue
    private <Q, A> A ask(RequestChannel<Q, A> channel, Q question) {
        return done(channel.ask(vertx.eventBus(), question, SOON));
    }

    @CanIgnoreReturnValue
    private static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(SOON.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
