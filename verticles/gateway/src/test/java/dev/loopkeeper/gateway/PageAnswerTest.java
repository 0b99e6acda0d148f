package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.data.StepToken;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** A person answers, raises a cap or continues what waits: from the list, from the page of the run, and by the keyboard alone. */
class PageAnswerTest extends WithServer {
    @Test
    void aWaitingRunContinuesOnceBothQuestionsAreAnswered() throws IOException {
        String runId = startAsking();
        open("");
        sees("#list-needs tr.run", "Which database?");
        browser.until("no count in the title", now -> now.getTitle().equals("(1) Loopkeeper"));
        sees("#list-needs .tiny .act", "?");
        browser.click("#list-needs td.do a");
        browser.focused("#answer-0");
        browser.until(
                "the title does not name the run", now -> now.getTitle().equals("(1) asking paused · Loopkeeper"));
        sees(".question:nth-of-type(2) label", "May the API change?");
        sees(".steps .outcome .act", "? asked");
        browser.until(
                "its bar is no question",
                now -> now.executeScript("return document.querySelector('.lanes .span.act')"));
        browser.until(
                "the iteration is not told as asked",
                now -> !now.findElements(By.cssSelector(".cell[aria-label*='iteration 1: asked']"))
                        .isEmpty());
        sees(".strip .cell.act", "?");
        sees(".strip .legend", "? asked");
        browser.fill("#answer-0", "PostgreSQL");
        browser.click("#send");
        sees("dialog", "Question 2 has no answer");
        browser.click("#cancel");
        browser.focused("#answer-1");
        browser.fill("#answer-1", "no");
        browser.click("#send");
        sees(".run-head h1", "completed");
        sees("#log .text", "Answer: PostgreSQL");
        sees("#log .text", "Question: May the API change?");
        browser.until("the title still counts it", now -> now.getTitle().equals("asking completed · Loopkeeper"));
        assertThat(keeper.until(runId, "completed").path("execution").asInt()).isEqualTo(1);
    }

    @Test
    void anOpenAskComesFirstAndOneOfItsChoicesAnswersIt() throws IOException {
        startAsking();
        String runId = start("port", "while [ ! -e end ]; do sleep 0.05; done", "");
        await().until(() -> !api.get("/runs/" + runId).body().path("openSteps").isEmpty());
        open("");
        sees("#list-going tr.run", "port");
        String path = "/runs/" + runId + "/steps/build.1.dev.1/asks";
        String token = StepToken.of(folder.resolve("data"), runId, "build.1.dev.1");
        assertThat(asked(path, "wrong")).isEqualTo(401);
        assertThat(asked(path, token)).isEqualTo(200);

        sees("#list-needs tr.run:nth-of-type(2)", "Which port?");
        browser.click("#list-needs tr.run:nth-of-type(2) td.do a");
        sees(".card.ask", "Which port?");
        browser.click(".card.ask .buttons button:nth-of-type(2)");
        browser.seesNo(".card.ask");

        JsonNode closed = api.get("/runs/" + runId + "/events?limit=100").body().path("events");
        assertThat(closed.path(closed.size() - 1).at("/data/answer").asText()).isEqualTo("9090");
        Files.createFile(keeper.workspace().resolve("end"));
        keeper.until(runId, "paused");
    }

    private static int asked(String path, String token) {
        String body = "{\"key\": \"k1\", \"question\": \"Which port?\", \"choices\": [\"8080\", \"9090\"]}";
        return api.ask(HttpMethod.POST, path, Map.of("Authorization", "Bearer " + token), body)
                .status();
    }

    @Test
    void theKeyboardAloneLeadsFromTheListToTheAnswer() throws IOException {
        String runId = startAsking();
        open("");
        sees("#list-needs tr.run", "asking");
        browser.press("j");
        browser.focused("#list-needs a.row");
        browser.press(Keys.ENTER);
        browser.focused("#main");
        sees(".question label", "Which database?");
        browser.press("a");
        browser.focused("#answer-0");
        browser.press("MySQL", Keys.TAB);
        browser.focused("#answer-1");
        browser.press("yes");
        browser.pressWith(Keys.CONTROL, Keys.ENTER);
        browser.focused(".run-head h1");
        sees(".run-head h1", "completed");
        browser.press("g");
        browser.press("r");
        sees("#list-ended tr.run", "asking");
        browser.focused("#main");
        browser.press("?");
        sees("dialog[open]", "Keys");
        browser.press(Keys.ESCAPE);
        browser.seesNo("dialog");
        browser.press("/");
        browser.focused("#search");
        browser.press("no such run");
        sees("main", "No run matches the search and filter.");
        becomes(runId, "completed");
    }

    /** A button that is disabled while the server is asked would lose it. */
    @Test
    void aPreviewAndAStopLeaveTheKeyboardWhereItIs() throws IOException {
        String runId = startAsking();
        open("#/runs/" + runId);
        sees(".question label", "Which database?");
        browser.fill("#answer-0", "MySQL");
        browser.fill("#answer-1", "no");
        browser.driver.executeScript("document.querySelector('#preview').focus()");
        browser.press(Keys.ENTER);
        sees(".preview.good", "Launches dev, iteration 2");
        browser.focused("#preview");
        browser.pressWith(Keys.CONTROL, Keys.ENTER);
        sees(".run-head h1", "completed");
        String endless = start("endless", "exec sleep 600", "");
        await().until(() -> api.get("/processes").body().path("processes").size() == 1);
        open("#/runs/" + endless);
        sees("#stop", "Stop");
        browser.press(".");
        browser.press(Keys.TAB, Keys.ENTER);
        sees("dialog li", "endless.sh");
        browser.focused("#cancel");
        browser.press(Keys.TAB, Keys.ENTER);
        sees("#stopped .receipt caption", "All gone");
        browser.focused("#close");
        browser.press(Keys.ENTER);
        browser.seesNo("dialog");
        sees(".run-head h1", "stopped");
        sees(".card.stopped h2", "Stopped by an operator");
        browser.seesNo(".card.stopped .message");
    }

    @Test
    void aCapIsRaisedWithADryRunFirst() throws IOException {
        String runId = start(
                "spent",
                // Stopped at its cap or just ended, by whichever is seen first: the launch counts, not the iteration.
                "said=SUCCESS; [ -e launched ] || said=PROGRESS; touch launched\n"
                        + "echo '{\"determination\": \"'$said'\", \"usage\": {\"costUsd\": 3.5}}' > spent.json",
                ", budget: {costUsd: 3}");
        becomes(runId, "stopped");
        open("");
        sees("#list-needs td.do", "Resume");
        browser.click("#list-needs a.row");
        sees(".why", "budget used up");
        sees(".field label[title='budget.costUsd']", "Cost cap in US dollars");
        browser.fill("#field-budget-costUsd", "3");
        browser.click("#send");
        sees("#field-budget-costUsd-problem", "3 is too low; the smallest value that works is 3.51.");
        browser.focused("#field-budget-costUsd[aria-invalid=true]");
        browser.fill("#field-budget-costUsd", "20");
        browser.click("#preview");
        sees(".preview.good", "Launches dev, iteration ");
        sees(".preview.good", " of 9; $16.50 left.");
        assertThat(keeper.get(runId).path("status").asText()).isEqualTo("stopped");
        browser.click("#send");
        sees(".run-head h1", "completed");
        sees(".numbers", "$7.00 of $20.00");
        open("");
        sees("#list-ended tr.run", "completed");
    }

    @Test
    void keysLeadToTheNumberThatIsNeededAndToTheButtonThatContinues() throws IOException {
        String runId = start("limit", "echo '{\"determination\": \"PROGRESS\"}' > limit.json", "");
        becomes(runId, "stopped");
        open("#/runs/" + runId);
        sees(".alternatives", "Instructions for the next step");
        browser.press("a");
        browser.focused("#field-maxIterations");
        browser.press(Keys.ESCAPE);
        browser.press(".");
        browser.focused("#send");
    }

    /** It said until when it waits, and a person who knew better could only stop it. */
    @Test
    void aWaitingRunContinuesAtOneClickFromTheListAndFromItsPage() throws IOException {
        keeper.script(
                "dev.sh",
                "[ $(ls launch-* 2>/dev/null | wc -l) -ge 2 ] && exit 0; mktemp launch-XXXXXX\n"
                        + "echo 'Rate limit reached. Please try again in 3600s.' >&2; exit 1");
        String runId =
                keeper.start("{name: limited, agents: {dev: {command: ./dev.sh}}, phases: [{name: p, task: dev}]}");
        keeper.until(runId, "waiting");
        open("");
        sees("#list-going .title", "Under way (1)");
        sees("#list-going tr.waiting .why", "tried again at");
        assertThat(browser.driver.getTitle()).isEqualTo("Loopkeeper");
        browser.click("#list-going td.do button");
        awaitLaunches(runId, 2);
        browser.click("#list-going a.row");
        sees(".why.waiting h2", "Waiting:");
        browser.click("#continue-now");
        sees(".run-head h1", "completed");
    }

    @Test
    void aHeldRunStartsFromItsPageWhichThenSaysThatAPauseIsRequested() throws IOException {
        String manifest = "{agents: {dev: {command: [sleep, '600']}}, name: held, phases: [{name: p, task: dev}]}";
        String body =
                "{\"manifest\": \"" + manifest + "\", \"workspace\": \"" + keeper.workspace() + "\", \"start\": false}";
        String runId = api.post("/runs", body).body().path("runId").asText();
        open("#/runs/" + runId);
        sees(".why.queued h2", "Queued");
        sees(".why.queued .hint", "Next: launches dev, phase p.");
        browser.click("#send");
        sees(".run-head h1", "running");
        browser.click("#pause");
        sees(".why.running h2", "A pause is requested");
        sees(".why.running .message", "pauses when they have ended");
    }

    private void awaitLaunches(String runId, int launches) {
        await().until(() -> {
            JsonNode run = api.get("/runs/" + runId).body();
            return run.path("status").asText().equals("waiting")
                    && run.at("/statistics/totalAttempts").asInt() == launches;
        });
    }

    @Test
    void ofAUsageLimitTheListAndThePageSayWhenItResets() throws IOException {
        keeper.script("limit.sh", "echo \"Claude AI usage limit reached|$(($(date +%s) + 1800))\" >&2; exit 1");
        String runId =
                keeper.start("{name: limited, agents: {dev: {command: ./limit.sh}}, phases: [{name: p, task: dev}]}");
        keeper.until(runId, "waiting");
        open("");
        sees("#list-going tr.waiting .why", "usage limit of dev resets at ");
        assertThat(shown("#list-going tr.waiting .why"))
                .containsPattern("usage limit of dev resets at \\d\\d:\\d\\d( [AP]M)?, in \\d+ m \\d\\d s");
        open("#/runs/" + runId);
        sees(".why.waiting", "usage limit of dev resets at ");
    }
}
