package dev.loopkeeper.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.management.ThreadMXBean;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.step.LaunchContext;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is decided late in a long run costs what it cost at first, measured by the bytes that deciding allocates. */
class LongRunsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Instant BEGIN = Instant.parse("2026-11-20T15:00:00Z");
    private static final int SOME = 200;
    private static final int MANY = 10_000;

    private static final class Run {
        private final StepEnd end;
        private RunState state;
        private Instant now = BEGIN;
        private int ended;

        Run(String yaml, StepEnd end) {
            this(Manifests.document(yaml), Manifests.read(Manifests.document(yaml)), end);
        }

        Run(JsonNode document, Manifest manifest, StepEnd end) {
            RunCreated created = new RunCreated(
                    "run-1",
                    "demo",
                    "n0nce",
                    "/work",
                    "/work",
                    true,
                    document,
                    manifest,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            this.end = end;
            this.state = RunMachine.decide(RunMachine.create(created, now).state(), new RunInput.Start(now))
                    .state();
        }

        /** Lets so many steps end, and answers how many bytes deciding that allocated for each. */
        @CanIgnoreReturnValue
        long steps(int count) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int step = 0; step < count; step++) {
                now = now.plusMillis(20);
                ended++;
                OpenStep open = state.steps().values().iterator().next();
                state = RunMachine.decide(
                                state, new RunInput.StepEnded(now, open.stepId(), end.outcome(now, "said " + ended)))
                        .state();
            }
            return (THREADS.getCurrentThreadAllocatedBytes() - before) / count;
        }

        int snapshotBytes() {
            return StateJson.write(state).length();
        }
    }

    private static String loop() {
        return "retry: {stopConditions: {circuitBreaker: 0}}\n"
                + Manifests.phases("{name: build, loop: {steps: [dev, judge], maxIterations: 0, noProgress: 0}}");
    }

    /** The items of a manifest, which count how often one of them is checked. */
    private static final class CountedItems extends AbstractList<ItemSpec> {
        private final List<ItemSpec> items;
        private long looks;

        CountedItems(List<ItemSpec> items) {
            this.items = items;
        }

        @Override
        public ItemSpec get(int index) {
            looks++;
            return items.get(index);
        }

        @Override
        public int size() {
            return items.size();
        }

        Manifest in(Manifest manifest) {
            EachPhase each = (EachPhase) manifest.phase(0);
            EachPhase counted = new EachPhase(
                    each.name(), this, each.itemsFrom(), each.steps(), each.maxAttempts(), each.concurrency(), true);
            return new Manifest(
                    manifest.name(),
                    manifest.workspace(),
                    manifest.env(),
                    manifest.vars(),
                    manifest.agents(),
                    List.of(counted),
                    manifest.isolation(),
                    manifest.budget(),
                    manifest.retry(),
                    manifest.notifications(),
                    manifest.reasons(),
                    manifest.errors(),
                    manifest.protect(),
                    manifest.priority());
        }
    }

    private static String items(int count) {
        return items(count, item -> "");
    }

    /** Each with the further fields that are given for its number. */
    private static String items(int count, IntFunction<String> fields) {
        String items = IntStream.range(0, count)
                .mapToObj(item -> "{id: f" + item + fields.apply(item) + "}")
                .collect(Collectors.joining(", "));
        return "retry: {stopConditions: {circuitBreaker: 0}}\n" + Manifests.each(items, "concurrency: 4");
    }

    @Test
    void anIterationCostsAsMuchAfterTenThousandAsAfterAHundred() {
        Run run = new Run(loop(), StepEnd.signal("determination: PROGRESS"));
        run.steps(SOME);
        long early = run.steps(SOME);
        int snapshot = run.snapshotBytes();

        run.steps(2 * MANY);

        assertThat(run.steps(SOME)).isLessThan(early * 11 / 10);
        int digits = 2 * (LaunchContext.MOST_EARLIER + 10); // numbers of iterations have two more by then
        assertThat(run.snapshotBytes()).isLessThan(snapshot + 50 + digits);
    }

    /** Each step copied all items several times, and counted them once for each that waited. */
    @Test
    void aStepCostsAsMuchBesideTenThousandItemsAsBesideAFew() {
        Run few = new Run(items(SOME), StepEnd.signal("verdict: approved"));
        Run many = new Run(items(MANY), StepEnd.signal("verdict: approved"));
        few.steps(SOME / 4);
        many.steps(SOME / 4);

        assertThat(many.steps(SOME / 4)).isLessThan(few.steps(SOME / 4) * 2);
    }

    /** Each turn looked through all that waited for a place, and each launch through all before it. */
    @Test
    void tenThousandItemsThatWaitAreNotLookedThroughToFindTheNextOne() {
        assertThat(looksPerStep(items(MANY))).isLessThan(4);
    }

    /** Each turn asked all that waited for another whether that one had ended. */
    @Test
    void findsTheNextOfTenThousandDependentItemsWithoutAScan() {
        assertThat(looksPerStep(items(MANY, item -> item == 0 ? "" : ", dependsOn: [f" + (item - 1) + "]")))
                .isLessThan(4);
    }

    /** After the first, which works out who depends on whom. */
    private static long looksPerStep(String yaml) {
        JsonNode document = Manifests.document(yaml);
        Manifest manifest = Manifests.read(document);
        CountedItems items = new CountedItems(((EachPhase) manifest.phase(0)).items());
        Run run = new Run(document, items.in(manifest), StepEnd.signal("verdict: approved"));
        run.steps(1);
        items.looks = 0;
        run.steps(SOME);
        return items.looks / SOME;
    }
}
