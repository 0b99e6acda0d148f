package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.SmallRepository;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What changed in worktrees, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiffRoutesTest {
    private static final String TWO_STEPS = """
            name: two
            agents: {dev: {command: "echo more >> list.txt"}, look: {command: ["true"]}}
            phases: [{name: a, task: dev}, {name: b, task: dev}, {name: c, task: look}]
            """;

    private Keeper keeper;
    private WebApi api;
    /** A run whose diff is larger than one answer. */
    private String large;

    @BeforeAll
    void serve(@TempDir Path folder) throws IOException {
        Path data = folder.resolve("data");
        SmallRepository repository = SmallRepository.in(folder.resolve("work"));
        keeper = new Keeper(
                data,
                repository.folder(),
                LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data))));
        api = WebApi.of(keeper);
        large = ended(MUCH);
    }

    @AfterAll
    void end() {
        keeper.close();
    }

    private String ended(String manifest) {
        String runId = api.submit(manifest, keeper.workspace(), Map.of())
                .body()
                .path("runId")
                .asText();
        keeper.untilEnded(runId);
        return "/runs/" + runId;
    }

    @Test
    void aRunAndItsStepsShowTheirChanges() {
        String run = ended("isolation: {git: worktree}\n" + TWO_STEPS);

        JsonNode whole = api.get(run + "/diff").body();
        JsonNode second = api.get(run + "/steps/b.dev.1/diff").body();
        WebApi.Answer none = api.get(run + "/steps/c.look.1/diff");
        JsonNode part =
                api.get(run + "/diff?from=" + second.path("to").asText()).body();

        assertThat(whole.path("diff").asText()).contains("a/list.txt").contains("\n+more\n+more\n");
        assertThat(whole.at("/files/0/path").asText()).isEqualTo("list.txt");
        assertThat(whole.path("insertions").asInt()).isEqualTo(2);
        assertThat(whole.path("truncated").asBoolean()).isFalse();
        assertThat(second.path("diff").asText()).contains(" more\n+more\n");
        assertThat(second.path("insertions").asInt()).isEqualTo(1);
        assertThat(none.status()).isEqualTo(200);
        assertThat(none.body().path("files")).isEmpty();
        assertThat(part.path("files")).isEmpty();
        assertThat(api.get(run + "/steps/x.y.1/diff").status()).isEqualTo(404);
        assertThat(api.get(run + "/diff?from=main").status()).isEqualTo(400);
        assertThat(api.get(run + "/diff?from=00000000").code()).isEqualTo("repository-unavailable");
    }

    @Test
    void eachIterationShowsItsCommits() {
        String run = ended("""
                isolation: {git: worktree}
                name: loop
                agents: {dev: {command: "echo more >> list.txt"}, once: {command: "echo x > x$LOOPKEEPER_ITERATION; test $LOOPKEEPER_ITERATION = 1 || rm x*"}}
                phases: [{name: a, loop: {steps: [dev, once], maxIterations: 2}}]
                """);

        JsonNode rows = api.get(run + "/iterations").body().path("iterations");

        JsonNode first = rows.at("/0/git");
        assertThat(first.path("commits").asInt()).isEqualTo(2);
        assertThat(first.path("files").asInt()).isEqualTo(2);
        assertThat(first.path("insertions").asInt()).isEqualTo(2);
        assertThat(first.path("deletions").asInt()).isZero();
        assertThat(rows.at("/1/git/from")).isEqualTo(first.path("head"));
        assertThat(rows.at("/1/git/deletions").asInt()).isEqualTo(1);
        JsonNode diff = api.get(run + "/diff?from=" + first.path("from").asText() + "&to="
                        + first.path("head").asText())
                .body();
        assertThat(diff.path("files")).hasSize(2);
        assertThat(api.get(ended(TWO_STEPS.replace("task: dev", "loop: {steps: [dev], maxIterations: 1}"))
                                + "/iterations")
                        .body()
                        .at("/iterations/0/git")
                        .isNull())
                .isTrue();
    }

    private static final String MUCH = """
            isolation: {git: worktree}
            name: much
            agents:
              dev:
                command: |
                  seq 1 2000000 > big.txt
                  printf 'a\\351\\n' > latin.txt
                  printf 'x\\n' > "$(printf 'b\\377')"
            phases: [{name: a, task: dev}]
            """;

    private HttpResponse<InputStream> open(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(keeper.url() + path)).build(),
                        HttpResponse.BodyHandlers.ofInputStream());
    }

    private byte[] asGitSays(String runId) throws Exception {
        Process git = new ProcessBuilder("git", "diff-tree", "-r", "-p", "--full-index", "main", "loopkeeper/" + runId)
                .directory(keeper.workspace().toFile())
                .start();
        return git.getInputStream().readAllBytes();
    }

    private static boolean isRead() {
        return ProcessHandle.current()
                .children()
                .anyMatch(child -> child.info().command().orElse("").endsWith("/git"));
    }

    @Test
    void aDiffThatIsCutNamesWhereAllOfItIs() throws Exception {
        JsonNode cut = api.get(large + "/diff").body();
        HttpResponse<InputStream> whole = open(cut.path("whole").asText());
        byte[] bytes = whole.body().readAllBytes();

        assertThat(cut.path("truncated").asBoolean()).isTrue();
        assertThat(cut.path("diff").asText()).hasSizeLessThanOrEqualTo(2 << 20);
        assertThat(whole.headers().firstValue("content-type")).hasValue("text/x-diff");
        assertThat(bytes).hasSizeGreaterThan(15 << 20).isEqualTo(asGitSays(large.substring("/runs/".length())));
        assertThat(open("/api/v1" + large + "/steps/a.dev.1/diff?view=patch")
                        .body()
                        .readAllBytes())
                .isEqualTo(bytes);
        assertThat(api.get(large + "/diff?to=" + cut.path("from").asText())
                        .body()
                        .path("whole")
                        .isNull())
                .isTrue();
        assertThat(open("/api/v1" + large + "/diff?view=patch&from=00000000").statusCode())
                .isEqualTo(409);
        assertThat(api.get(large + "/diff?view=all").status()).isEqualTo(400);
    }

    @Test
    void aClientThatLeavesInTheMidstLeavesNoGit() throws Exception {
        try (InputStream half = open("/api/v1" + large + "/diff?view=patch").body()) {
            assertThat(half.readNBytes(1_000_000)).hasSize(1_000_000);
            assertThat(isRead()).isTrue();
        }

        await().until(() -> !isRead());
    }

    @Test
    void aDiffWhoseGitDiesIsReportedAsIncomplete() throws Exception {
        try (InputStream half = open("/api/v1" + large + "/diff?view=patch").body()) {
            assertThat(half.readNBytes(1_000_000)).hasSize(1_000_000);
            ProcessHandle.current()
                    .children()
                    .filter(child -> child.info().command().orElse("").endsWith("/git"))
                    .forEach(ProcessHandle::destroyForcibly);

            assertThatThrownBy(half::readAllBytes).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aRunWithoutAWorktreeHasNone() {
        String run = ended(TWO_STEPS);

        assertThat(api.get(run + "/diff").status()).isEqualTo(409);
        assertThat(api.get(run + "/diff").code()).isEqualTo("no-worktree");
        assertThat(api.get("/runs/nobody/diff").status()).isEqualTo(404);
    }
}
