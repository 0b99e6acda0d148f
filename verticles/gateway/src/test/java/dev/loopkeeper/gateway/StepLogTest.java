package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.GetStep;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.data.StepLog;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpResponse;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepLogTest {
    private static final String LOG = "/runs/run-1/steps/build.1.dev.1/log";

    @TempDir
    Path data;

    private GatewayFixture fixture;
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        fixture = GatewayFixture.plain(data);
        folder = Files.createDirectories(data.resolve("runs/run-1/steps/build.1.dev.1"));
        stepEnded(true);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void stepEnded(boolean ended) {
        fixture.scheduler.steps.put("run-1", TestRuns.steps("run-1", "build.1.dev.1", ended ? TestRuns.NOW : null));
    }

    @Test
    void thePromptOfAStepThatIsOverIsReadInParts() throws IOException {
        Files.writeString(folder.resolve("request.json"), "{}");
        Files.writeString(folder.resolve("prompt.md"), "Fix the tests.\n");
        Files.createFile(folder.resolve("stderr.log"));
        StepFiles.of(data, "run-1", "build.1.dev.1").tidy();
        assertThat(folder.resolve("stderr.log")).doesNotExist();
        assertThat(fixture.get(LOG + "?stream=prompt").bodyAsString()).isEqualTo("Fix the tests.\n");
        assertThat(fixture.get(LOG + "?stream=prompt&offset=4&limit=3").bodyAsString())
                .isEqualTo("the");
        assertThat(fixture.get(LOG + "?stream=prompt&offset=99").body()).isNull();
        assertThat(fixture.get(LOG + "?stream=stderr").body()).isNull();
    }

    /** Each step of such a run may be open, also one that does not exist: its log was empty. */
    @Test
    void aStepThatDoesNotExistIsUnknownAlsoInARunThatCannotBeRead() throws IOException {
        fixture.scheduler.unreadable = Set.of("run-1");
        Files.writeString(folder.resolve("stdout.log"), "hello");

        assertThat(fixture.get("/runs/run-1/steps/build.9.dev.1/log").statusCode())
                .isEqualTo(404);
        assertThat(fixture.get(LOG).bodyAsString()).isEqualTo("hello");
    }

    @Test
    void aPartOfALogIsItsBytes() throws IOException {
        Files.writeString(folder.resolve("stdout.log"), "hello, world");
        Files.writeString(folder.resolve("stderr.log"), "oh");
        assertThat(fixture.get(LOG).bodyAsString()).isEqualTo("hello, world");
        assertThat(fixture.get(LOG + "?offset=7&limit=3").bodyAsString()).isEqualTo("wor");
        assertThat(fixture.get(LOG + "?stream=stderr").bodyAsString()).isEqualTo("oh");
        assertThat(fixture.get(LOG + "?offset=99").body()).isNull();
        assertThat(fixture.get(LOG + "?limit=0").body()).isNull();
        assertThat(fixture.get(LOG + "?follow=true").bodyAsString()).isEqualTo("hello, world");
        HttpResponse<Buffer> response = fixture.get(LOG);
        assertThat(response.getHeader("Content-Type")).startsWith("text/plain");
        assertThat(response.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
    }

    @Test
    void whatTheAgentWasSentIsAStreamToo() throws IOException {
        assertThat(fixture.get(LOG + "?stream=prompt").body()).isNull();
        Files.writeString(folder.resolve("prompt.md"), "do this");
        assertThat(fixture.get(LOG + "?stream=prompt").bodyAsString()).isEqualTo("do this");
        assertThat(fixture.get(LOG + "?stream=prompt&follow=true&offset=3").bodyAsString())
                .isEqualTo("this");
    }

    /** Its file is a hole of 64 GiB: who read it would still be reading. */
    @Test
    void readsTheTailOfALogWithoutLineBreaksInPart() throws IOException {
        long size = 64L << 30;
        try (RandomAccessFile file =
                new RandomAccessFile(folder.resolve("stdout.log").toFile(), "rw")) {
            file.setLength(size);
            StepLog log = StepLog.of(data, "run-1", "build.1.dev.1", "stdout");
            long mebibyte = 1 << 20;
            assertThat(log.tail(1)).isBetween(size - 2 * mebibyte, size - mebibyte);
            assertThat(log.tail(0)).isEqualTo(size);

            file.seek(size - 10);
            file.write("\nabc\nlast\n".getBytes(StandardCharsets.UTF_8));
            assertThat(log.tail(2)).isEqualTo(size - 9);
            assertThat(log.tail(3)).isBetween(size - 2 * mebibyte, size - mebibyte);
        }
    }

    @Test
    void theTailOfALongLineBeginsWithAWholeLetter() throws IOException {
        Files.writeString(folder.resolve("stdout.log"), "x" + "é".repeat(2 << 20) + "\nend\n");
        StepLog log = StepLog.of(data, "run-1", "build.1.dev.1", "stdout");

        assertThat(log.part(log.tail(2), 3).bytes()[0]).isEqualTo("é".getBytes(StandardCharsets.UTF_8)[0]);
        assertThat(log.tail(2)).isGreaterThan(1 << 20);
    }

    @Test
    void findsTheLogOfALaunchedStepWithoutTheHistory() throws IOException {
        Files.writeString(folder.resolve("stdout.log"), "hello");
        assertThat(fixture.get(LOG).bodyAsString()).isEqualTo("hello");
        assertThat(fixture.get(LOG + "?view=readable").statusCode()).isEqualTo(200);
        assertThat(fixture.scheduler.asked).noneMatch(GetStep.class::isInstance).noneMatch(GetRun.class::isInstance);
    }

    @Test
    void aLargeLogArrivesWhole() throws IOException {
        byte[] bytes = new byte[9_000_001];
        new Random(7).nextBytes(bytes);
        Files.write(folder.resolve("stdout.log"), bytes);
        assertThat(fixture.get(LOG).body().getBytes()).isEqualTo(bytes);
    }

    @Test
    void aMarkerStandsForWhatTheLogLimitDropped() throws IOException {
        Files.writeString(folder.resolve("stdout.log"), "begin" + "\0".repeat(100) + "end");
        Files.writeString(folder.resolve("stdout.dropped.json"), "{\"from\": 5, \"to\": 105}");
        String marker = "\n[loopkeeper: 100 bytes were dropped here, the log limit was reached]\n";
        assertThat(fixture.get(LOG).bodyAsString()).isEqualTo("begin" + marker + "end");
        assertThat(fixture.get(LOG + "?offset=50").bodyAsString()).isEqualTo(marker + "end");
        assertThat(fixture.get(LOG + "?offset=106").bodyAsString()).isEqualTo("nd");
        assertThat(fixture.get(LOG + "?limit=4").bodyAsString()).isEqualTo("begi");
    }

    @Test
    void aLogThatIsNotThereYetIsEmptyAndOneOfNoStepIsNotFound() {
        assertThat(fixture.get(LOG).statusCode()).isEqualTo(200);
        assertThat(fixture.get(LOG).body()).isNull();
        assertThat(fixture.get("/runs/run-1/steps/other/log").statusCode()).isEqualTo(404);
        assertThat(fixture.get("/runs/run-1/steps/..%2f..%2fx/log").statusCode())
                .isEqualTo(404);
    }

    @Test
    void aLinkThatLeadsOutIsNotFollowed() throws IOException {
        Path secret = Files.writeString(data.resolve("secret"), "hunter2");
        Files.createSymbolicLink(folder.resolve("stdout.log"), secret);
        assertThat(fixture.get(LOG).body()).isNull();
    }

    @Test
    void aFollowedLogEndsWithItsStep() throws IOException {
        stepEnded(false);
        Path log = folder.resolve("stdout.log");
        Buffer received = Buffer.buffer();
        AtomicBoolean over = new AtomicBoolean();
        HttpClient client = fixture.vertx.createHttpClient();
        GatewayFixture.soon(client.request(
                        HttpMethod.GET, fixture.gateway.port(), "127.0.0.1", "/api/v1" + LOG + "?follow=true")
                .compose(request -> request.send()
                        .onSuccess(response ->
                                response.handler(received::appendBuffer).endHandler(end -> over.set(true)))));
        Files.writeString(log, "one\n");
        await().until(() -> received.toString().equals("one\n"));
        Files.writeString(log, "two\n", StandardOpenOption.APPEND);
        await().until(() -> received.toString().equals("one\ntwo\n"));
        assertThat(over).isFalse();
        Files.writeString(log, "three\n", StandardOpenOption.APPEND);
        stepEnded(true);
        fixture.happens(TestRuns.event("run-1", 1, "step.finished"), TestRuns.run("run-1", "running"));
        await().untilTrue(over);
        assertThat(received.toString()).isEqualTo("one\ntwo\nthree\n");
        GatewayFixture.soon(client.close());
    }

    @Test
    void aReadableLogIsFollowedLineByLineToItsEnd() throws IOException {
        stepEnded(false);
        Path log = folder.resolve("stdout.log");
        Files.writeString(log, "zero\none\ntw");
        Buffer received = Buffer.buffer();
        AtomicBoolean over = new AtomicBoolean();
        HttpClient client = fixture.vertx.createHttpClient();
        String path = "/api/v1" + LOG + "?view=readable&follow=true&tail=1";
        GatewayFixture.soon(client.request(HttpMethod.GET, fixture.gateway.port(), "127.0.0.1", path)
                .compose(request -> request.send()
                        .onSuccess(response ->
                                response.handler(received::appendBuffer).endHandler(end -> over.set(true)))));

        await().until(() -> received.toString().equals(line(5, "one")));
        Files.writeString(log, "o\n", StandardOpenOption.APPEND);
        await().until(() -> received.toString().equals(line(5, "one") + line(9, "two")));
        assertThat(over).isFalse();
        Files.writeString(log, "three", StandardOpenOption.APPEND);
        stepEnded(true);
        fixture.happens(TestRuns.event("run-1", 1, "step.finished"), TestRuns.run("run-1", "running"));
        await().untilTrue(over);
        assertThat(received.toString()).isEqualTo(line(5, "one") + line(9, "two") + line(13, "three"));
        GatewayFixture.soon(client.close());
    }

    /** As {@code echo hook > /dev/stdout} does: the follower stood beyond the end and got nothing more. */
    @ParameterizedTest
    @ValueSource(strings = {"", "&view=readable"})
    void aLogThatItsAgentTruncatesIsFollowedFromItsStart(String view) throws IOException {
        stepEnded(false);
        Path log = folder.resolve("stdout.log");
        Files.writeString(log, "a line of some length\n");
        Buffer received = Buffer.buffer();
        AtomicBoolean over = new AtomicBoolean();
        HttpClient client = fixture.vertx.createHttpClient();
        String path = "/api/v1" + LOG + "?follow=true" + view;
        GatewayFixture.soon(client.request(HttpMethod.GET, fixture.gateway.port(), "127.0.0.1", path)
                .compose(request -> request.send()
                        .onSuccess(response ->
                                response.handler(received::appendBuffer).endHandler(end -> over.set(true)))));
        await().until(() -> received.toString().contains("length"));

        Files.writeString(log, "hook\n");
        await().until(() -> received.toString().contains("hook"));
        Files.writeString(log, "after\n", StandardOpenOption.APPEND);
        stepEnded(true);
        fixture.happens(TestRuns.event("run-1", 1, "step.finished"), TestRuns.run("run-1", "running"));
        await().untilTrue(over);

        assertThat(received.toString())
                .isEqualTo(
                        view.isEmpty()
                                ? "a line of some length\nhook\nafter\n"
                                : line(0, "a line of some length") + line(0, "hook") + line(5, "after"));
        GatewayFixture.soon(client.close());
    }

    private static String line(int offset, String text) {
        return "{\"offset\":" + offset + ",\"at\":null,\"kind\":\"says\",\"text\":\"" + text + "\"}\n";
    }

    @Test
    void aReadableLogOfAStepThatIsOverIsFollowedToItsEndAtOnce() throws IOException {
        Files.writeString(folder.resolve("stdout.log"), "one\ntwo\nthree");

        HttpResponse<Buffer> all = fixture.get(LOG + "?view=readable&follow=true");
        assertThat(all.bodyAsString()).isEqualTo(line(0, "one") + line(4, "two") + line(8, "three"));
        assertThat(all.getHeader("Content-Type")).startsWith("application/x-ndjson");
        assertThat(fixture.get(LOG + "?view=readable&follow=true&tail=0").bodyAsString())
                .isEqualTo(line(8, "three"));
        assertThat(fixture.get(LOG + "?view=readable&follow=true&limit=5").statusCode())
                .isEqualTo(400);
        assertThat(fixture.get(LOG + "?view=readable&tail=5&offset=4").statusCode())
                .isEqualTo(400);
    }

    @Test
    void aLongReadableLogArrivesWhole() throws IOException {
        Files.writeString(folder.resolve("stdout.log"), "a line of some length\n".repeat(20_000));

        String all = fixture.get(LOG + "?view=readable&follow=true").bodyAsString();
        assertThat(all.lines().count()).isEqualTo(20_000);
        assertThat(all).endsWith(line(19_999 * 22, "a line of some length"));
    }

    /** It was one text in memory, however little of it the client read. */
    @Test
    void aLongPageOfAReadableLogIsSentPieceByPiece() throws IOException {
        Files.writeString(folder.resolve("stdout.log"), "a line of some length\n".repeat(20_000));

        HttpResponse<Buffer> tail = fixture.get(LOG + "?view=readable&tail=9000");
        assertThat(tail.getHeader("Transfer-Encoding")).isEqualTo("chunked");
        JsonNode page = GatewayFixture.json(tail);
        assertThat(page.path("lines")).hasSize(9_000);
        assertThat(page.at("/lines/0/offset").asLong()).isEqualTo(11_000 * 22);
        assertThat(page.path("nextOffset").asLong()).isEqualTo(20_000 * 22);
        assertThat(fixture.get(LOG + "?view=readable&tail=9").getHeader("Transfer-Encoding"))
                .isNull();
    }
}
