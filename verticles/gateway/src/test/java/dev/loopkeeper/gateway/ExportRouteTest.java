package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.AskNode;
import dev.loopkeeper.contract.NodeChannels.ListRunFiles;
import dev.loopkeeper.contract.NodeChannels.NodeReply;
import dev.loopkeeper.contract.NodeChannels.ReadRunFile;
import dev.loopkeeper.contract.NodeChannels.RunFile;
import dev.loopkeeper.contract.NodeChannels.RunFileList;
import dev.loopkeeper.contract.NodeChannels.RunFilePart;
import dev.loopkeeper.contract.NodeChannels.RunNodes;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Node;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.client.HttpResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run as one file, from this server's disk and from those of others. */
class ExportRouteTest {
    private static final String EXPORT = "/runs/run-1/export";
    private static final String HERE = "steps/build.1.dev.2/stdout.log";
    private static final String THERE = "steps/build.1.dev.1/stdout.log";

    @TempDir
    Path data;

    private GatewayFixture fixture;
    /** What the other node has, by path; a part of it is answered at a time. */
    private final Map<String, byte[]> there = new TreeMap<>();

    private volatile Function<AskNode, NodeReply> other = asked -> NodeReply.silent();
    /** What has to be durable before the other node answers. */
    private volatile Function<AskNode, Future<?>> beforeAnswer = asked -> Future.succeededFuture();

    @BeforeEach
    void open() throws IOException {
        fixture = GatewayFixture.plain(data);
        rests("paused", 1);
        write(HERE, "said here\n");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void rests(String status, long sequence) {
        var run = TestRuns.run("run-1", status).put("sequence", sequence);
        fixture.scheduler.runs.put("run-1", run);
        fixture.happens(TestRuns.event("run-1", sequence, "run.created"), run);
    }

    private void write(String path, String text) throws IOException {
        Path file = data.resolve("runs/run-1").resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void join(Node.State state) {
        Node one = node("n1", state);
        GatewayFixture.soon(Future.all(
                NodeChannels.RUN_NODES.serve(
                        fixture.vertx.eventBus(),
                        asked -> Future.succeededFuture(new RunNodes(List.of(one, node("n2", Node.State.LIVE))))),
                NodeChannels.ASK.serve(
                        fixture.vertx.eventBus(),
                        asked -> beforeAnswer.apply(asked).map(done -> other.apply(asked)))));
    }

    private static Node node(String name, Node.State state) {
        return new Node(
                name,
                state,
                name.equals("n2"),
                OptionalLong.empty(),
                Optional.of("http://" + name + ":7420"),
                "1",
                Node.Load.NONE);
    }

    private static NodeReply answer(Object answer) {
        return NodeReply.answered(Json.MAPPER.valueToTree(answer).toString());
    }

    private NodeReply honest(AskNode asked) {
        try {
            if (asked.channel().equals(NodeChannels.LIST_FILES.address())) {
                ListRunFiles question = Json.MAPPER.readValue(asked.body(), ListRunFiles.class);
                return answer(new RunFileList(there.entrySet().stream()
                        .filter(file -> file.getKey().compareTo(question.after()) > 0)
                        .limit(question.limit())
                        .map(file -> new RunFile(file.getKey(), file.getValue().length))
                        .toList()));
            }
            ReadRunFile question = Json.MAPPER.readValue(asked.body(), ReadRunFile.class);
            byte[] bytes = there.get(question.path());
            int from = (int) question.offset();
            return answer(
                    new RunFilePart(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + question.length()))));
        } catch (JsonProcessingException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private void has(String path, String text) {
        there.put(path, text.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, String> entries(HttpResponse<Buffer> answer) throws IOException {
        assertThat(answer.statusCode()).as(answer.bodyAsString()).isEqualTo(200);
        Map<String, String> entries = new TreeMap<>();
        try (ZipInputStream zip =
                new ZipInputStream(new ByteArrayInputStream(answer.body().getBytes()))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                entries.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return entries;
    }

    private void assertRefused(int status, String code, String... why) throws IOException {
        HttpResponse<Buffer> refused = fixture.get(EXPORT);
        assertThat(refused.statusCode()).as(refused.bodyAsString()).isEqualTo(status);
        JsonNode problem = GatewayFixture.json(refused);
        assertThat(problem.path("code").asText()).isEqualTo(code);
        assertThat(problem.path("detail").asText()).contains(why);
        assertNothingLeft();
    }

    private void assertNothingLeft() throws IOException {
        try (Stream<Path> runs = Files.list(data.resolve("runs"))) {
            assertThat(runs).containsExactly(data.resolve("runs/run-1"));
        }
    }

    @Test
    void aServerAloneSendsWhatItHas() throws IOException {
        Files.createSymbolicLink(data.resolve("runs/run-1/steps/build.1.dev.2/link"), Path.of("/etc/hosts"));
        write("checkpoint.json", "{}");
        write("worktree/code.c", "int main;");
        HttpResponse<Buffer> answer = fixture.get(EXPORT);

        Map<String, String> entries = entries(answer);
        assertThat(entries).containsOnlyKeys("events.jsonl", "receipts.jsonl", "files/" + HERE, "manifest.json");
        assertThat(entries.get("files/" + HERE)).isEqualTo("said here\n");
        assertThat(entries.get("events.jsonl")).contains("run.created").hasLineCount(1);
        assertThat(Json.MAPPER.readTree(entries.get("manifest.json")).path("entries"))
                .hasSize(3);
        assertThat(answer.getHeader("Content-Type")).isEqualTo("application/zip");
        assertThat(answer.getHeader("Content-Length"))
                .isEqualTo(Integer.toString(answer.body().length()));
        assertThat(answer.getHeader("Content-Disposition")).contains("\"run-1.loopkeeper.zip\"");
        assertNothingLeft();
    }

    @Test
    void aRunThatIsUnderWayOrUnknownIsRefused() throws IOException {
        rests("running", 2);
        assertRefused(409, "not-exportable", "run run-1 is running; pause or stop it first");
        assertThat(fixture.get("/runs/other/export").statusCode()).isEqualTo(404);
        assertThat(fixture.get("/runs/..%2Fevil/export").statusCode()).isEqualTo(404);
    }

    @Test
    void whatOtherNodesHaveIsGatheredAndTheLaterOneCountsForAStep() throws IOException {
        join(Node.State.LIVE);
        other = this::honest;
        has(THERE, "x".repeat(300_000));
        has(HERE, "of an attempt that another node took over\n");
        has("steps/build.1.dev.2/prompt.md", "of the same");
        for (int file = 0; file < 1200; file++) {
            has("steps/build.1.dev.1/more-" + file, "");
        }

        Map<String, String> entries = entries(fixture.get(EXPORT));
        assertThat(entries.get("files/" + THERE)).isEqualTo("x".repeat(300_000));
        assertThat(entries.get("files/" + HERE)).isEqualTo("said here\n");
        assertThat(entries).doesNotContainKey("files/steps/build.1.dev.2/prompt.md");
        assertThat(entries).hasSize(3 + 1 + 1 + 1200);
    }

    @Test
    void aNodeThatIsNotThereIsNamedAndNothingIsLeft() throws IOException {
        join(Node.State.FENCED);
        assertRefused(503, "node-unreachable", "node n1", "fenced", "http://n1:7420");
    }

    @Test
    void namesANodeThatBecomesSilentDuringAnExport() throws IOException {
        join(Node.State.LIVE);
        has(THERE, "said there\n");
        other = asked -> asked.channel().equals(NodeChannels.LIST_FILES.address()) ? honest(asked) : NodeReply.silent();
        assertRefused(503, "node-unreachable", "node n1", "does not answer");
        other = asked -> NodeReply.refused(500, "it does not know this question");
        assertRefused(503, "node-unreachable", "node n1", "does not know this question");
    }

    @Test
    void refusesARunThatContinuesDuringAnExport() throws IOException {
        join(Node.State.LIVE);
        has(THERE, "said there\n");
        other = this::honest;
        beforeAnswer = asked -> asked.channel().equals(NodeChannels.READ_FILE.address())
                ? fixture.bus.append(TestRuns.append(
                        TestRuns.event("run-1", 2, "run.resumed"),
                        TestRuns.run("run-1", "running").put("sequence", 2)))
                : Future.succeededFuture();
        assertRefused(409, "not-exportable", "continued during the export");
    }

    @Test
    void whatAnotherNodeSendsLeadsNowhereAndHasAnEnd() throws IOException {
        join(Node.State.LIVE);
        for (String path : List.of("../../evil", "/etc/evil", "steps//evil", "steps/./evil", "a\\..\\evil", "")) {
            other = asked -> answer(new RunFileList(List.of(new RunFile(path, 1))));
            assertRefused(
                    409,
                    "not-exportable",
                    path.isEmpty() ? "changed during the export" : "a file of a run cannot have this name");
        }
        other = asked -> answer(new RunFileList(List.of(new RunFile("a", Long.MAX_VALUE))));
        assertRefused(409, "not-exportable", "more files than fit");
        other = asked -> answer(new RunFileList(List.of(new RunFile("a", -1))));
        assertRefused(409, "not-exportable", "more files than fit");
        other = asked -> answer(new RunFileList(Stream.generate(() -> new RunFile("a", 0))
                .limit(ListRunFiles.MOST)
                .toList()));
        assertRefused(409, "not-exportable", "changed during the export");
        other = asked -> asked.channel().equals(NodeChannels.LIST_FILES.address())
                ? answer(new RunFileList(List.of(new RunFile("a", 3))))
                : answer(new RunFilePart(new byte[] {1, 2, 3, 4}));
        assertRefused(409, "not-exportable", "changed during the export");
        other = asked -> asked.channel().equals(NodeChannels.LIST_FILES.address())
                ? answer(new RunFileList(List.of(new RunFile("a", 3))))
                : answer(new RunFilePart(new byte[0]));
        assertRefused(409, "not-exportable", "changed during the export");
    }

    private Future<RunFilePart> read(String path, long offset, int length) {
        return NodeChannels.READ_FILE.ask(
                fixture.vertx.eventBus(), new ReadRunFile("run-1", path, offset, length), Duration.ofMinutes(1));
    }

    private boolean isRefused(String path) {
        return GatewayFixture.soon(read(path, 0, 10).transform(over -> Future.succeededFuture(over.failed())));
    }

    @Test
    void anotherNodeServesOnlyFilesOfTheRun() throws IOException {
        write("worktree/code.c", "int main;");
        write("checkpoint.json", "{}");
        write("steps/.hidden", "x");
        Path secret = Files.writeString(data.resolve("secret"), "secret");
        Path steps = data.resolve("runs/run-1/steps");
        Files.createSymbolicLink(steps.resolve("link"), secret);
        Files.createSymbolicLink(steps.resolve("folder"), data);

        RunFileList all = GatewayFixture.soon(NodeChannels.LIST_FILES.ask(
                fixture.vertx.eventBus(), new ListRunFiles("run-1", "", 10), Duration.ofMinutes(1)));
        assertThat(all.files()).containsExactly(new RunFile(HERE, 10));
        assertThat(GatewayFixture.soon(read(HERE, 5, 100)).bytes()).asString().isEqualTo("here\n");
        assertThat(GatewayFixture.soon(read(HERE, 0, 4)).bytes()).asString().isEqualTo("said");
        assertThat(GatewayFixture.soon(read(HERE, 10, 4)).bytes()).isEmpty();
        for (String path : List.of(
                "steps/link",
                "steps/folder/secret",
                "../../secret",
                secret.toString(),
                "worktree/code.c",
                "checkpoint.json",
                "steps/.hidden",
                "steps",
                "steps/none",
                "")) {
            assertThat(isRefused(path)).as(path).isTrue();
        }
    }
}
