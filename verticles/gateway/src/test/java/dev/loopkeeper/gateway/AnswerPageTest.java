package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.data.StepToken;
import dev.loopkeeper.embed.Keeper;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A phone shows the page of an answer link, and one tap answers. */
class AnswerPageTest extends WithBrowser {
    @TempDir
    private Path folder;

    private Phone phone;
    private Keeper keeper;
    private WebApi api;

    @BeforeEach
    void serve() throws IOException {
        phone = new Phone(folder);
        keeper = phone.keeper;
        api = phone.api;
        browser.looksLike("light", 390, true);
    }

    @AfterEach
    void end() {
        browser.looksAsAlways();
        browser.leave();
        phone.close();
    }

    /** Opens the link of the message as a phone does. */
    private void open() {
        browser.go(keeper.url() + "/answer#" + phone.token());
    }

    private void fitsAPhone() {
        assertThat(browser.driver.executeScript("return document.documentElement.scrollWidth"))
                .isEqualTo(390L);
        browser.bringAxe();
        assertThat(browser.violations("{}")).isEmpty();
    }

    @Test
    void aChoiceOfAnAskIsAnsweredByOneTap() throws IOException {
        String runId = WithServer.start(keeper, "port", "while [ ! -e end ]; do sleep 0.05; done", phone.notify);
        await().until(() -> !api.get("/runs/" + runId).body().path("openSteps").isEmpty());
        String step = "/runs/" + runId + "/steps/build.1.dev.1/asks";
        String token = StepToken.of(folder.resolve("data"), runId, "build.1.dev.1");
        String body = "{\"key\": \"k1\", \"question\": \"Which port?\", \"choices\": [\"8080\", \"9090\"]}";
        assertThat(api.ask(HttpMethod.POST, step, Map.of("Authorization", "Bearer " + token), body)
                        .status())
                .isEqualTo(200);
        open();

        browser.sees("#name", "port");
        browser.sees("#questions", "Which port?");
        browser.sees("#choices", "9090");
        fitsAPhone();
        browser.click("#choices button:nth-of-type(2)");
        browser.sees("#message", "Sent.");
        JsonNode closed = api.get("/runs/" + runId + "/events?limit=100").body().path("events");
        assertThat(closed.path(closed.size() - 1).at("/data/answer").asText()).isEqualTo("9090");
        assertThat(closed.path(closed.size() - 1).at("/data/by").asText()).isEqualTo("link");

        open();
        browser.sees("#message", "answered by link: 9090");
        browser.until(
                "the form is still there", now -> now.executeScript("return document.querySelector('#form').hidden"));
        Files.createFile(keeper.workspace().resolve("end"));
    }

    @Test
    void aPauseIsAnsweredInWords() throws IOException {
        String runId = WithServer.startAsking(keeper, phone.notify);
        open();

        browser.sees("#questions", "Which database?");
        fitsAPhone();
        browser.go(keeper.url() + "/answer#another");
        browser.sees("#message", "this is no link of this server");
        open();
        browser.fill("#text", "PostgreSQL; no");
        browser.click("#form > button");
        browser.sees("#message", "Sent.");
        keeper.until(runId, "completed");
    }
}
