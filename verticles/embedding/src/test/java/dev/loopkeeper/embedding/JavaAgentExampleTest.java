package dev.loopkeeper.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.view.Run;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/java-agents.md} do what it says. */
class JavaAgentExampleTest {
    private static final String GATED = "{name: gated, agents: {dev: {command: [echo, done]}, review: {handler: %s}},"
            + " phases: [{name: a, task: dev}, {name: b, gate: review}]}";

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        Embedded.await(vertx.close());
    }

    private Run run(LoopkeeperOptions options, String manifest) {
        RunOptions here = RunOptions.DEFAULTS.workspace(folder);
        return Embedded.await(Loopkeeper.start(vertx, options)
                .compose(keeper -> keeper.submit(manifest, here)
                        .compose(submitted -> keeper.awaitEnd(submitted.runId()))
                        .eventually(keeper::close)));
    }

    private LoopkeeperOptions options() {
        return LoopkeeperOptions.of(folder.resolve("data"));
    }

    @Test
    void aLoopIsJudgedByJava() throws IOException {
        Run run = Embedded.await(JavaAgentExamples.judged(vertx, folder.resolve("data"), folder));

        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(Files.readAllLines(folder.resolve("report.txt"))).hasSize(3);
    }

    @Test
    void aModelIsAskedOverHttpAndItsUsageCounts() {
        HttpServer server = Embedded.await(vertx.createHttpServer()
                .requestHandler(request -> request.response()
                        .end(new JsonObject()
                                .put("right", true)
                                .put("inputTokens", 12)
                                .put("outputTokens", 3)
                                .encode()))
                .listen(0, "localhost"));
        HttpClient client = vertx.createHttpClient();

        Run run = run(
                options().handler("model", JavaAgentExamples.model(client, server.actualPort())),
                GATED.formatted("model"));

        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(run.usage().inputTokens()).hasValue(12);
    }

    @Test
    void aModelOfLangChainJudgesTheLoop() {
        Queue<String> answers = new ConcurrentLinkedQueue<>(List.of("the header is lost", "OK"));
        List<String> asked = new CopyOnWriteArrayList<>();
        ChatModel model = new ChatModel() {
            @Override
            public ChatResponse doChat(ChatRequest request) {
                asked.add(request.messages().toString());
                return ChatResponse.builder()
                        .aiMessage(AiMessage.from(answers.remove()))
                        .tokenUsage(new TokenUsage(7, 2))
                        .build();
            }
        };

        Run run = run(
                options().handler("judge", LangChainExample.judge(model)),
                "{name: judged, agents: {judge: {handler: judge}},"
                        + " phases: [{name: build, loop: {steps: [judge], maxIterations: 3}}]}");

        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(run.usage().inputTokens()).hasValue(14);
        assertThat(asked.get(1)).contains("the header is lost");
    }

    @Test
    void anAgentOnTheEventBusApproves() {
        Embedded.await(JavaAgentExamples.reviews(vertx).completion());

        assertThat(run(options(), GATED.formatted("{address: reviews}")).status())
                .isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void failuresOfInputAndOutputAreThoseOfTheProvider() {
        LoopkeeperOptions classified = JavaAgentExamples.classified(options());

        assertThat(classified.handlers().errors().apply(new IOException("reset")))
                .contains(ErrorCategory.PROVIDER);
    }

    @Test
    void theDocumentationShowsThisCode() throws IOException {
        EmbeddingExampleTest.assertShows("../../docs/java-agents.md", "JavaAgentExamples", "LangChainExample");
    }
}
