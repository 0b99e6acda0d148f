package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.START;
import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StepPagesTest {
    private static final int ITERATIONS = 3000;
    private static final int EVENTS_OF_ITERATION = 4;
    private static final String OPEN = "build." + (ITERATIONS + 1) + ".dev.1";

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger read = new AtomicInteger();
    private StepPages pages;

    /** A loop of one step that has gone on for long, and whose last step is open. */
    @BeforeEach
    void aLongRun() throws JsonProcessingException {
        List<StoredEvent> events = new ArrayList<>();
        for (int iteration = 1; iteration <= ITERATIONS; iteration++) {
            add(events, "iteration.started", "{}");
            add(events, "step.started", started(iteration));
            add(events, "step.finished", finished(iteration));
            add(events, "iteration.finished", "{}");
        }
        add(events, "step.started", started(ITERATIONS + 1));
        RunRow row = StoreSamples.row("run-1", "running", START);
        MemoryStore store = new MemoryStore(vertx);
        await(store.append(new AppendEvents("run-1", 0, 1, events, row, Optional.empty(), Optional.empty())));
        pages = new StepPages(vertx, counted(store));
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private static void add(List<StoredEvent> events, String type, String data) throws JsonProcessingException {
        JsonNode json = Json.MAPPER.readTree(data);
        events.add(new StoredEvent("run-1", events.size() + 1, START.plusMillis(events.size()), type, 1, json));
    }

    private static String started(int iteration) {
        return "{\"stepId\":\"build." + iteration + ".dev.1\",\"phase\":\"build\",\"iteration\":" + iteration
                + ",\"item\":null,\"agent\":\"dev\",\"attempt\":1,\"nonce\":\"n\","
                + slot(iteration) + "}";
    }

    private static String finished(int iteration) {
        return finished(iteration, "null");
    }

    private static String finished(int iteration, String deliverable) {
        return "{\"stepId\":\"build." + iteration + ".dev.1\",\"phase\":\"build\",\"iteration\":" + iteration
                + ",\"item\":null,\"agent\":\"dev\",\"attempt\":1,\"pid\":4711,\"result\":{\"status\":\"completed\","
                + "\"termination\":\"stop\",\"exitCode\":0,\"signal\":null,\"usage\":null,\"costUsd\":null,"
                + "\"durationMs\":2000,\"deliverable\":" + deliverable
                + ",\"noProgressSnapshot\":null,\"errorDiagnostic\":null,"
                + "\"sweptCount\":0},\"consumed\":true," + slot(iteration) + ",\"note\":{\"stepId\":\"s\","
                + "\"agent\":\"dev\",\"determination\":null,\"verdict\":null,\"failed\":false,\"matched\":false,"
                + "\"optsOut\":false,\"discontinues\":false,\"fingerprint\":\"f\",\"finding\":null,"
                + "\"outcome\":\"approved\"},\"costUnknown\":false}";
    }

    private static String slot(int iteration) {
        return "\"slot\":{\"kind\":\"loop\",\"phase\":\"build\",\"iteration\":" + iteration
                + ",\"item\":null,\"index\":0},\"formatVersion\":1";
    }

    /** Counts the events that are handed out. */
    private EventStore counted(MemoryStore store) {
        return (EventStore) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {EventStore.class},
                (proxy, method, arguments) -> ((Future<?>) method.invoke(store, arguments)).onSuccess(found -> {
                    if (found instanceof List<?> events) {
                        read.addAndGet(events.size());
                    }
                }));
    }

    private StepPage page(OptionalLong since, OptionalLong before, int limit) {
        return await(pages.page(new ListSteps("run-1", since, before, limit), step -> OptionalLong.of(7)));
    }

    private StepPage newest(int limit) {
        return page(OptionalLong.empty(), OptionalLong.empty(), limit);
    }

    @Test
    void findsTheNewestOfManyStepsWithoutReadingTheOthers() {
        StepPage newest = newest(3);

        assertThat(newest.steps())
                .extracting(Step::stepId)
                .containsExactly("build.2999.dev.1", "build.3000.dev.1", OPEN);
        assertThat(newest.steps().get(1).status()).isEqualTo(Step.Status.COMPLETED);
        assertThat(newest.steps().get(2).status()).isEqualTo(Step.Status.RUNNING);
        assertThat(newest.steps().get(2).pid()).hasValue(7);
        assertThat(read).hasValue(6);
    }

    @Test
    void aPageEndsByBytesAndItsCursorLeadsToTheRest() throws JsonProcessingException {
        int count = 20;
        List<StoredEvent> events = new ArrayList<>();
        for (int iteration = 1; iteration <= count; iteration++) {
            add(events, "step.started", started(iteration));
            add(events, "step.finished", finished(iteration, "\"" + "x".repeat(800_000) + "\""));
        }
        MemoryStore store = new MemoryStore(vertx);
        RunRow row = StoreSamples.row("run-1", "completed", START);
        await(store.append(new AppendEvents("run-1", 0, 1, events, row, Optional.empty(), Optional.empty())));
        pages = new StepPages(vertx, store);

        List<String> forwards = followed(ListSteps.OLDEST, 100, 5);
        List<String> backwards = followed(ListSteps.NEWEST, 100, 5);

        assertThat(forwards).hasSize(count).doesNotHaveDuplicates().isEqualTo(backwards);
    }

    private List<String> followed(String first, int limit, int most) {
        List<String> all = new ArrayList<>();
        Optional<String> cursor = Optional.of(first);
        while (cursor.isPresent()) {
            ListSteps question = ListSteps.at(cursor.get(), "run-1", limit).orElseThrow();
            StepPage page = page(question.since(), question.before(), limit);
            assertThat(page.steps()).hasSizeBetween(1, most);
            assertThat(page.steps().subList(0, page.steps().size() - 1))
                    .allMatch(step -> step.endedAt().isPresent());
            all.addAll(question.since().isPresent() ? all.size() : 0, ids(page));
            cursor = page.nextCursor();
        }
        return all;
    }

    @Test
    void pagesFromEitherEndGiveEveryStepOnceAndInOrder() {
        List<String> forwards = followed(ListSteps.OLDEST, 700, 700);

        assertThat(followed(ListSteps.NEWEST, 700, 700))
                .isEqualTo(forwards)
                .hasSize(ITERATIONS + 1)
                .doesNotHaveDuplicates();
    }

    private static List<String> ids(StepPage page) {
        return page.steps().stream().map(Step::stepId).toList();
    }

    @Test
    void oneStepIsFoundByItsOwnEventsAlone() {
        Optional<Step> found = await(pages.find("run-1", "build.2.dev.1", step -> OptionalLong.empty()));

        assertThat(found).hasValueSatisfying(step -> {
            assertThat(step.iteration()).contains(2);
            assertThat(step.pid()).hasValue(4711);
            assertThat(step.endedAt()).isPresent();
        });
        assertThat(read).hasValue(2);
        assertThat(await(pages.find("run-1", "build.2.dev", step -> OptionalLong.empty())))
                .isEmpty();
    }

    @Test
    void aFewStepsLongAgoAreFoundByTheirOwnEventsAlone() {
        assertThat(page(OptionalLong.of(400), OptionalLong.empty(), 3).steps())
                .hasSize(3)
                .allMatch(step -> step.endedAt().isPresent());
        assertThat(read).hasValue(7);
    }

    @Test
    void findsAStepWhoseNameOccursInAnother() throws JsonProcessingException {
        List<StoredEvent> events = new ArrayList<>();
        add(events, "step.started", started(7));
        add(events, "step.started", started(8).replace("\"nonce\":\"n\"", "\"nonce\":\"build.7.dev.1\""));
        add(events, "step.finished", finished(8).replace("\"stepId\":\"s\"", "\"stepId\":\"build.7.dev.1\""));
        add(events, "step.finished", finished(7));
        MemoryStore store = new MemoryStore(vertx);
        RunRow row = StoreSamples.row("run-1", "running", START);
        await(store.append(new AppendEvents("run-1", 0, 1, events, row, Optional.empty(), Optional.empty())));

        Optional<Step> found =
                await(new StepPages(vertx, store).find("run-1", "build.7.dev.1", step -> OptionalLong.empty()));

        assertThat(found).hasValueSatisfying(step -> {
            assertThat(step.iteration()).contains(7);
            assertThat(step.endedAt()).contains(START.plusMillis(3));
        });
    }
}
