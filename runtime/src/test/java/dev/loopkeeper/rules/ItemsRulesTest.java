package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.PhaseStarted;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Items of a file are read when their phase begins, and recorded then. */
class ItemsRulesTest {
    private static final String EACH = "{name: frames, each: {steps: [dev], itemsFrom: items.json, maxAttempts: 2}}";

    private static RunKit planned() {
        return RunKit.started(Manifests.phases("{name: plan, task: dev}", EACH));
    }

    @CanIgnoreReturnValue
    private static RunKit found(RunKit run, String... ids) {
        List<ItemSpec> items = Arrays.stream(ids)
                .map(id -> new ItemSpec(id, List.of(), Map.of("shot", id)))
                .toList();
        return run.feed(new RunInput.ItemsRead(run.now(), "frames", items, Optional.empty()));
    }

    @CanIgnoreReturnValue
    private static RunKit failed(RunKit run, String problem) {
        return run.feed(new RunInput.ItemsRead(run.now(), "frames", List.of(), Optional.of(problem)));
    }

    private static List<RunCommand.ReadItems> asked(RunKit run) {
        return run.commands(RunCommand.ReadItems.class);
    }

    @Test
    void theFileIsReadWhenThePhaseBeginsAndNotBefore() {
        RunKit run = planned();
        assertThat(asked(run)).isEmpty();

        run.ends("dev", exit(0));
        assertThat(asked(run))
                .containsExactly(new RunCommand.ReadItems("frames", "items.json", Optional.empty(), false));
        assertThat(run.open()).isEmpty();

        found(run, "new1", "new2");
        assertThat(run.open()).containsExactly("frames.new1.dev.1");
        assertThat(run.launched().vars()).containsEntry("shot", "new1");
        assertThat(run.state().ledger().statistics().itemsTotal()).isEqualTo(2);
        run.ends("dev", exit(0)).ends("dev", exit(0));
        assertThat(run.subtype()).isEqualTo("stop");
    }

    @Test
    void whatWasReadIsRecordedAndSurvivesACrash() {
        RunKit run = found(planned().ends("dev", exit(0)), "a", "b");
        PhaseStarted started = run.lastEvent(PhaseStarted.class);

        assertThat(EventJson.read(EventTypes.of(started), EventJson.write(started)))
                .isEqualTo(started);
        assertThat(StateJson.read(StateJson.write(run.state()))).isEqualTo(run.state());
        assertThat(((EachPhase) run.state().phase().orElseThrow()).items()).hasSize(2);
        run.crash();
        assertThat(asked(run)).isEmpty();
        assertThat(run.open()).containsExactly("frames.a.dev.1");
    }

    @Test
    void afterACrashTheFileIsRequestedAgain() {
        RunKit run = planned().ends("dev", exit(0)).crash();

        assertThat(asked(run)).hasSize(1);
    }

    @Test
    void aBadFilePausesWithThePlaceAndAResumeReadsItAgain() {
        RunKit run = failed(planned().ends("dev", exit(0)), "items.json:2:5: the id \"f1\" is taken");

        assertThat(run.paused().reason()).isEqualTo(PauseReason.ANOMALY);
        assertThat(run.paused().message())
                .isEqualTo("the items of phase frames cannot be read: items.json:2:5: the id \"f1\" is taken");

        run.resume(Resume.with(ResumeAction.CONTINUE));
        assertThat(asked(run)).hasSize(1);
        found(run, "f1");
        assertThat(run.open()).containsExactly("frames.f1.dev.1");
    }

    @Test
    void aPauseAndAStopDoNotWaitForTheFile() {
        RunKit paused = planned().ends("dev", exit(0)).pause();
        assertThat(paused.paused().reason()).isEqualTo(PauseReason.OPERATOR);
        found(paused, "f1");
        assertThat(paused.last().late()).isPresent();
        paused.resume(Resume.with(ResumeAction.CONTINUE));
        assertThat(asked(paused)).hasSize(1);

        RunKit stopped = planned().ends("dev", exit(0)).stop();
        assertThat(stopped.subtype()).isEqualTo("error_operator_stop");
    }

    @Test
    void aPhaseThatAGateRunsAgainReadsItsFileAgain() {
        RunKit run = RunKit.started(Manifests.phases(EACH, "{name: verify, gate: gatekeeper}"));
        assertThat(asked(run).get(0).first()).isTrue();
        found(run, "f1").ends("dev", exit(0)).ends("gatekeeper", exit(1));

        assertThat(asked(run)).hasSize(1);
        found(run, "f2");
        assertThat(run.open()).containsExactly("frames.f2.dev.1");
    }

    @Test
    void theDefaultOfTheCircuitBreakerGrowsWithTheItems() {
        String[] many = IntStream.range(0, 60).mapToObj(number -> "i" + number).toArray(String[]::new);
        RunKit run = found(planned().ends("dev", exit(0)), many);
        assertThat(run.state().limits().stopConditions().circuitBreaker()).isEqualTo(242);

        RunKit set = RunKit.started(
                "retry: {stopConditions: {circuitBreaker: 7}}\n" + Manifests.phases("{name: plan, task: dev}", EACH));
        found(set.ends("dev", exit(0)), many);
        assertThat(set.state().limits().stopConditions().circuitBreaker()).isEqualTo(7);
    }

    @Test
    void anEmptyListIsAPhaseWithoutWork() {
        assertThat(found(planned().ends("dev", exit(0))).subtype()).isEqualTo("stop");
    }

    @Test
    void aSignalOfTheNextPhaseIsNotWaitedForTwice() {
        RunKit run =
                RunKit.started(Manifests.phases(EACH, EACH.replace("frames", "shots"), "{name: end, task: judge}"));
        found(run, "f1").ends("dev", exit(0));
        assertThat(asked(run)).extracting(RunCommand.ReadItems::phase).containsExactly("shots");

        run.feed(new RunInput.ItemsRead(run.now(), "shots", List.of(), Optional.empty()));
        run.ends("judge", signal("status: completed"));
        assertThat(run.subtype()).isEqualTo("stop");
    }
}
