package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.START;
import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.view.IterationPage;
import dev.loopkeeper.view.IterationRow;
import dev.loopkeeper.view.Step;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IterationPagesTest {
    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger read = new AtomicInteger();
    private final List<StoredEvent> events = new ArrayList<>();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private void add(String type, String data) {
        try {
            JsonNode json = Json.MAPPER.readTree("{\"formatVersion\":1," + data + "}");
            long sequence = events.size() + 1L;
            events.add(new StoredEvent("run-1", sequence, START.plusMillis(sequence), type, 1, json));
        } catch (JsonProcessingException broken) {
            throw new AssertionError(data, broken);
        }
    }

    private static String number(int iteration, int attempt) {
        return "\"phase\":\"build\",\"iteration\":" + iteration + ",\"attempt\":" + attempt;
    }

    private void begin(int iteration, int attempt) {
        add("iteration.started", number(iteration, attempt));
        step("build." + iteration, Integer.toString(iteration), attempt);
    }

    /** With the end of the step. */
    private void step(String stem, String iteration, int attempt) {
        String stepId = stem + ".dev." + attempt;
        String slot = "\"slot\":{\"kind\":\"loop\",\"phase\":\"build\",\"iteration\":" + iteration
                + ",\"item\":null,\"index\":0}";
        String of = "\"stepId\":\"" + stepId + "\",\"phase\":\"build\",\"iteration\":" + iteration
                + ",\"item\":null,\"agent\":\"dev\",\"attempt\":" + attempt + "," + slot;
        add("step.started", of + ",\"nonce\":\"n\"");
        add(
                "step.finished",
                of + ",\"pid\":4711,\"result\":{\"status\":\"completed\",\"termination\":\"stop\",\"exitCode\":0,"
                        + "\"signal\":null,\"usage\":{\"costUsd\":0.25,\"inputTokens\":100,\"outputTokens\":20,"
                        + "\"turns\":null},\"costUsd\":0.25,\"durationMs\":2000,\"sweptCount\":0},\"consumed\":true,"
                        + "\"note\":{\"stepId\":\"" + stepId + "\",\"agent\":\"dev\",\"determination\":\"ANOMALY\","
                        + "\"verdict\":null,\"failed\":false,\"matched\":false,\"optsOut\":false,"
                        + "\"discontinues\":false,\"fingerprint\":\"f\",\"finding\":{\"keyConcern\":\"odd\"},"
                        + "\"outcome\":\"failed\"},\"costUnknown\":false");
    }

    private void end(int iteration, int attempt) {
        add(
                "iteration.finished",
                number(iteration, attempt)
                        + ",\"verdict\":\"PROGRESS\",\"outcome\":\"approved\",\"counts\":true,"
                        + "\"fingerprint\":\"f\",\"lookBack\":3,\"optedOut\":false");
    }

    private void leave() {
        add("phase.finished", "\"phase\":\"build\",\"outcome\":\"passed\",\"message\":\"done\",\"next\":1");
    }

    private void loop(int from, int to) {
        for (int iteration = from; iteration <= to; iteration++) {
            begin(iteration, 1);
            end(iteration, 1);
        }
    }

    private IterationPages pages() {
        RunRow row = StoreSamples.row("run-1", "running", START);
        MemoryStore store = new MemoryStore(vertx);
        await(store.append(new AppendEvents("run-1", 0, 1, events, row, Optional.empty(), Optional.empty())));
        EventStore counted = (EventStore) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {EventStore.class},
                (proxy, method, arguments) -> ((Future<?>) method.invoke(store, arguments)).onSuccess(found -> {
                    if (found instanceof List<?> some) {
                        read.addAndGet(some.size());
                    }
                }));
        return new IterationPages(vertx, counted);
    }

    private static List<Integer> numbers(IterationPage page) {
        return page.iterations().stream().map(IterationRow::iteration).toList();
    }

    /** How many events the newest fifty of so many iterations cost. */
    private int costOfFifty(int iterations) {
        events.clear();
        loop(1, iterations);
        IterationPages pages = pages();
        read.set(0);
        IterationPage page = await(pages.page("run-1", OptionalLong.empty(), 50));
        assertThat(numbers(page)).hasSize(50).startsWith(iterations - 49).endsWith(iterations);
        return read.get();
    }

    @Test
    void theNewestOfFiveThousandIterationsCostWhatThoseOfAFewDo() {
        assertThat(costOfFifty(5000)).isEqualTo(costOfFifty(60));
    }

    @Test
    void pagesGiveEveryIterationOnceAndInOrder() {
        loop(1, 25);
        IterationPages pages = pages();
        List<Integer> all = new ArrayList<>();
        IterationPage page = await(pages.page("run-1", OptionalLong.empty(), 7));
        all.addAll(numbers(page));
        while (page.nextCursor().isPresent()) {
            long before = Long.parseLong(page.nextCursor().get());
            page = await(pages.page("run-1", OptionalLong.of(before), 7));
            all.addAll(0, numbers(page));
        }

        assertThat(all).hasSize(25).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void anIterationHasTheResultsAndCostsOfItsSteps() {
        loop(1, 1);
        begin(2, 1);
        add("run.paused", "\"reason\":\"anomaly\",\"pause\":{\"reason\":\"anomaly\",\"message\":\"odd\"}");
        IterationPage page = await(pages().page("run-1", OptionalLong.empty(), 10));

        IterationRow done = page.iterations().get(0);
        assertThat(done.verdict()).contains("PROGRESS");
        assertThat(done.endedAt()).isPresent();
        assertThat(done.costUsd()).hasValue(0.25);
        assertThat(done.tokens()).hasValue(120);
        assertThat(done.paused()).isEmpty();
        IterationRow last = page.iterations().get(1);
        assertThat(last.verdict()).contains("ANOMALY");
        assertThat(last.concern()).hasValueSatisfying(text -> assertThat(text).contains("odd"));
        assertThat(last.paused()).contains(PauseReason.ANOMALY);
        assertThat(last.endedAt()).isEmpty();
        assertThat(last.steps()).singleElement().satisfies(bar -> {
            assertThat(bar.stepId()).isEqualTo("build.2.dev.1");
            assertThat(bar.status()).isEqualTo(Step.Status.COMPLETED);
            assertThat(bar.endedAt()).isPresent();
        });
    }

    /** A question or an anomaly cuts it short, so it has ended when the run pauses for it. */
    @Test
    void showsThePauseOfAStepAfterItsEnd() {
        loop(1, 2);
        add(
                "run.paused",
                "\"reason\":\"user_input_needed\",\"pause\":{\"reason\":\"user_input_needed\","
                        + "\"stepId\":\"build.2.dev.1\",\"message\":\"which?\"}");
        loop(3, 3);
        add("run.paused", "\"reason\":\"operator\",\"pause\":{\"reason\":\"operator\",\"message\":\"wait\"}");
        IterationPage page = await(pages().page("run-1", OptionalLong.empty(), 10));

        assertThat(page.iterations())
                .extracting(IterationRow::paused)
                .containsExactly(Optional.empty(), Optional.of(PauseReason.USER_INPUT_NEEDED), Optional.empty());
    }

    @Test
    void anIterationThatIsTriedAgainIsARowOfItsOwn() {
        begin(1, 1);
        begin(1, 2);
        end(1, 2);
        IterationPage page = await(pages().page("run-1", OptionalLong.empty(), 10));

        assertThat(page.iterations()).extracting(IterationRow::attempt).containsExactly(1, 2);
        assertThat(page.iterations().get(0).verdict()).contains("ANOMALY");
        assertThat(page.iterations().get(1).verdict()).contains("PROGRESS");
    }

    @Test
    void whatLiesAfterALoopOrBetweenTwoIsNotRead() {
        loop(1, 2);
        leave();
        for (int item = 0; item < 400; item++) {
            step("frames.f" + item, "null", 1);
        }
        loop(3, 4);
        leave();
        for (int item = 0; item < 400; item++) {
            step("more.f" + item, "null", 1);
        }
        IterationPages pages = pages();
        read.set(0);

        assertThat(numbers(await(pages.page("run-1", OptionalLong.empty(), 10))))
                .containsExactly(1, 2, 3, 4);
        assertThat(read.get()).isLessThan(200);
    }

    @Test
    void aRunWithoutLoopsHasNone() {
        step("plan", "null", 1);
        IterationPage page = await(pages().page("run-1", OptionalLong.empty(), 10));

        assertThat(page.iterations()).isEmpty();
        assertThat(page.nextCursor()).isEmpty();
    }
}
