package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.ItemAttempts;
import dev.loopkeeper.checkpoint.ItemsView;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.view.ItemAttempt;
import dev.loopkeeper.view.ItemPage;
import dev.loopkeeper.view.ItemRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Items as rows for pictures, in the order of the plan and with what they wait for. */
class ItemRowsTest {
    private static final String LENIENT = "retry: {stopConditions: {maxRejectRate: 0, maxConsecutiveFails: 0}}\n";

    private static final Instant NOW = Instant.parse("2026-11-20T15:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(9);

    private static RunKit run() {
        return RunKit.started(LENIENT
                + Manifests.phases(
                        "{name: frames, each: {steps: [audit], items: [{id: f1}, {id: f2, dependsOn: [f1]}, {id: f3}],"
                                + " maxAttempts: 2}}",
                        "{name: later, each: {steps: [audit], items: [{id: g1}]}}"));
    }

    private static ItemPage page(RunState state, int since, int limit) {
        return ItemsView.page(state, since, limit, new ItemAttempts());
    }

    @Test
    void itemsThatAreNotBegunAreThereToo() {
        ItemPage page = page(run().state(), 0, 10);

        assertThat(page.items()).extracting(ItemRow::id).containsExactly("f1", "f2", "f3", "g1");
        assertThat(page.items().get(1).dependsOn()).containsExactly("f1");
        assertThat(page.items().get(0).status()).isEqualTo(ItemStatus.RUNNING);
        assertThat(page.items().get(3).maxAttempts()).isEqualTo(3);
        assertThat(page.counts()).isEqualTo(Map.of("running", 1L, "pending", 3L));
        assertThat(page.nextCursor()).isEmpty();
    }

    @Test
    void anItemReportsItsAttemptsAndWhatWasSaidLast() {
        RunKit run = run().ends("audit", signal("verdict: rejected, keyConcern: the sky is green"))
                .ends("audit", signal("verdict: rejected, keyConcern: still green"));

        ItemRow first = page(run.state(), 0, 1).items().get(0);
        assertThat(first.attempts()).isEqualTo(2);
        assertThat(first.outcome()).contains(ItemStatus.REJECTED);
        assertThat(first.lastStep()).contains("frames.f1.audit.2");
        assertThat(first.concern()).hasValueSatisfying(line -> assertThat(line).contains("still green"));
    }

    @Test
    void anItemReportsWhatBecameOfEachAttempt() {
        ItemAttempts attempts = new ItemAttempts();
        String ended = "{phase: frames, item: f1, attempt: %d, outcome: %s}";
        attempts.addOlder(Manifests.document(ended.formatted(2, "approved")), LATER);
        attempts.addOlder(
                Manifests.document("{phase: frames, item: f2, attempt: 0, outcome: null, status: blocked}"), NOW);
        attempts.addOlder(Manifests.document(ended.formatted(1, "rejected")), NOW);

        List<ItemRow> rows = ItemsView.page(run().state(), 0, 9, attempts).items();
        assertThat(rows.get(0).history())
                .containsExactly(new ItemAttempt(1, "rejected", NOW), new ItemAttempt(2, "approved", LATER));
        assertThat(rows.get(1).history()).as("blocked, so never tried").isEmpty();
        assertThat(rows.get(2).history()).isEmpty();
    }

    @Test
    void pagesGiveEachItemOnce() {
        List<String> all = IntStream.iterate(0, since -> since < 4, since -> since + 2)
                .mapToObj(since -> page(run().state(), since, 2))
                .flatMap(page -> page.items().stream())
                .map(ItemRow::id)
                .toList();

        assertThat(all).containsExactly("f1", "f2", "f3", "g1");
        assertThat(page(run().state(), 0, 2).nextCursor()).contains("2");
        assertThat(page(run().state(), 2, 2).nextCursor()).isEmpty();
        assertThat(page(run().state(), 9, 2).items()).isEmpty();
    }

    @Test
    void aPhaseThatIsBehindKeepsItsItems() {
        RunKit run = RunKit.started(Manifests.phases(
                        "{name: frames, each: {steps: [audit], items: [{id: f1}]}}", "{name: plan, task: dev}"))
                .ends("audit", signal("verdict: approved"));

        assertThat(page(run.state(), 0, 10).items())
                .singleElement()
                .extracting(ItemRow::status)
                .isEqualTo(ItemStatus.APPROVED);
        assertThat(page(run.ends("dev", exit(0)).state(), 0, 10).counts()).isEqualTo(Map.of("approved", 1L));
    }
}
