package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** A person answers a pause by the link of its notification, and can do nothing else with the link. */
@Isolated("reads the log of the process")
class AnswerLinkTest {
    @TempDir
    private Path folder;

    private Phone phone;
    private Keeper keeper;
    private WebApi api;
    private String runId;
    private String token;

    @BeforeEach
    void serve() throws IOException {
        phone = new Phone(folder);
        keeper = phone.keeper;
        api = phone.api;
        runId = WithServer.startAsking(keeper, phone.notify);
        token = phone.token();
    }

    @AfterEach
    void end() {
        phone.close();
    }

    private static String body(String token, String text) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("token", token);
        return (text == null ? body : body.put("text", text)).toString();
    }

    @Test
    void aLinkAnswersItsPauseOnceAndSaysAfterwardsWhatWasAnswered() {
        WebApi.Answer question = api.post("/answers/question", body(token, null));
        assertThat(question.status()).as(question.text()).isEqualTo(200);
        assertThat(question.body().at("/questions/0").asText()).isEqualTo("Which database?");
        assertThat(question.body().path("action").asText()).isEqualTo("continue");
        assertThat(api.post("/answers", body(token, " ")).status()).isEqualTo(400);
        assertThat(api.post("/answers", body(token.replace(runId + ".", runId + ".1"), "x"))
                        .status())
                .isEqualTo(404);
        assertThat(api.get("/runs/" + runId).body().path("status").asText()).isEqualTo("paused");

        WebApi.Answer answered = api.post("/answers", body(token, "PostgreSQL; no"));
        assertThat(answered.status()).as(answered.text()).isEqualTo(202);
        keeper.until(runId, "completed");

        for (String path : List.of("/answers", "/answers/question")) {
            WebApi.Answer again = api.post(path, body(token, path.equals("/answers") ? "MySQL" : null));
            assertThat(again.status()).isEqualTo(410);
            assertThat(again.code()).isEqualTo("answer-closed");
            assertThat(again.body().path("answer").asText()).isEqualTo("PostgreSQL; no");
            assertThat(again.body().path("by").asText()).isEqualTo("link");
        }
        assertThat(api.get("/runs/" + runId + "/events?limit=1000").text())
                .contains("PostgreSQL; no")
                .doesNotContain(token.substring(token.length() - 20));
    }

    /** A resume that waits for a slot may be replaced by another one, but not by a second answer. */
    @Test
    void ofTwoAnswersAtOnceOneWinsAlsoWhileTheRunWaitsForASlot() {
        String other =
                keeper.start("{name: other, agents: {a: {command: [sleep, '600']}}, phases: [{name: a, task: a}]}");
        keeper.until(other, "running");

        List<WebApi.Answer> answers = Stream.of("one", "two")
                .map(text -> CompletableFuture.supplyAsync(() -> api.post("/answers", body(token, text))))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(answers).extracting(WebApi.Answer::status).containsExactlyInAnyOrder(202, 410);
        assertThat(api.get("/runs/" + runId).body().path("status").asText()).isEqualTo("queued");
        WebApi.Answer late = api.post("/answers/question", body(token, null));
        assertThat(late.status()).isEqualTo(410);
        assertThat(late.body().path("answer").asText()).isIn("one", "two");
        api.post("/runs/" + other + "/stop", "{}");
        keeper.until(runId, "completed");
    }

    @Test
    void theTokenIsInNoLog() {
        String secret = token.substring(token.length() - 20);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.list = new CopyOnWriteArrayList<>();
        logged.start();
        Logger root = (Logger) LoggerFactory.getLogger("dev.loopkeeper");
        Level before = root.getLevel();
        root.addAppender(logged);
        root.setLevel(Level.DEBUG);
        try {
            api.post("/answers/question", body(token, null));
            api.post("/answers/question", "{\"token\": \"" + token + "\", \"other\": 1}");
            api.post("/answers", "{\"token\": \"" + token + "\"");
            api.post("/answers", body(token + "x", "no"));
            api.post("/answers", body(token, "yes"));
            keeper.until(runId, "completed");
        } finally {
            root.setLevel(before);
            root.detachAppender(logged);
        }
        String log = String.join(
                "\n",
                logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
        assertThat(log).contains(runId).doesNotContain(secret);
    }

    @Test
    void thePageOfALinkIsInertAndLoadsNothingFromElsewhere() {
        WebClient client = WebClient.create(keeper.vertx());
        for (String name : List.of("/answer", "/answer?utm_source=chat", "/answer/answer.js", "/answer/answer.css")) {
            HttpResponse<Buffer> file =
                    Keeper.await(client.getAbs(keeper.url() + name).send());
            assertThat(file.statusCode()).as(name).isEqualTo(200);
            assertThat(file.getHeader("Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(file.getHeader("Content-Security-Policy")).contains("script-src 'self'");
            assertThat(file.bodyAsString()).doesNotContain("http://", "https://", "innerHTML");
            assertThat(Keeper.await(client.headAbs(keeper.url() + name).send()).statusCode())
                    .isEqualTo(200);
        }
        assertThat(Keeper.await(client.getAbs(keeper.url() + "/answer/openapi.json")
                                .send())
                        .statusCode())
                .isEqualTo(404);
        assertThat(api.get("/runs/" + runId).body().path("status").asText()).isEqualTo("paused");
    }
}
