package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.rules.ResumeForms;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.message.ResumeForm;
import dev.loopkeeper.rules.message.ResumePreview;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.LaunchHold;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.Termination;
import dev.loopkeeper.view.Explanation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Explains the status of a run, its next actions and their requirements. */
public final class RunExplanation {
    /** Limit of an explanation's newest decisions; older ones are in the run's events. */
    public static final int MOST_LINKS = 1000;

    private static final Set<String> DETAIL = Set.of("step.usage", "step.signal");

    /** The types of events that are decisions rather than details. */
    public static final Set<String> LINKS =
            EventTypes.all().stream().filter(type -> !DETAIL.contains(type)).collect(Collectors.toUnmodifiableSet());

    private RunExplanation() {}

    /** The link of an event in the chain of decisions; empty for details. */
    public static Optional<Explanation.Link> link(long sequence, Instant at, String type, JsonNode data) {
        return DETAIL.contains(type)
                ? Optional.empty()
                : Optional.of(new Explanation.Link(
                        sequence, at, type, EventJson.read(type, data).text()));
    }

    /** The explanation of a state with its chain of decisions. */
    public static Explanation of(RunState state, List<Explanation.Link> chain) {
        Optional<String> advice = state.condition() instanceof Condition.Ended ended
                ? ended.termination().advice()
                : Optional.empty();
        Optional<ResumePreview> preview = preview(state);
        ResumeForm form = ResumeForms.of(state);
        return new Explanation(
                state.runId(),
                state.status(),
                summary(state),
                RunView.pause(state).or(() -> requested(state).map(Pause::shown)),
                RunView.waiting(state),
                advice,
                form.actions(),
                preview.map(ResumePreview::missing),
                preview.map(ResumePreview::kept),
                preview.map(ResumePreview::redone),
                form.needs(),
                form.accepts(),
                form.effects(),
                state.plan().file(),
                List.copyOf(chain));
    }

    /**
     * Why a run stopped and what a resume requires, e.g. {@code ended, iteration limit reached (convergence-limit): no
     * success in 6 iterations of build; a resume requires maxIterations above 6, or feedback}. Empty without an uncleared exhaustion.
     */
    public static Optional<String> diagnosis(RunState state) {
        return state.ledger()
                .exhaustion()
                .map(record -> "ended, " + record.text() + "; " + ResumeForms.requirement(state));
    }

    private static String waiting(RunState state, Condition.Waiting waiting) {
        String until = waiting.resumeAt().map(time -> " until " + time).orElse("");
        if (waiting.hold().isPresent()) {
            return held(waiting.hold().get(), until);
        }
        String cause = RunView.waiting(state)
                .map(retry -> " (" + retry.message() + ")")
                .orElse("");
        return "waiting" + until + cause + ", then resumes automatically";
    }

    private static String held(LaunchHold hold, String until) {
        if (hold.reason() == LaunchHold.Kind.CAP) {
            return "waits for cap " + hold.detail() + until + " (" + hold.message()
                    + "); a higher cap by loopkeeper apply ends the wait";
        }
        return hold.message() + until + LaunchHold.poolRemedy(hold.detail(), hold.message());
    }

    private static String summary(RunState state) {
        Condition condition = state.condition();
        if (condition instanceof Condition.Paused paused) {
            return "paused, " + paused.pause().reason().text(Optional.empty()) + ": "
                    + paused.pause().message()
                    + paused.later()
                            .map(later -> "; resumes at " + state.resumeAt().orElseThrow())
                            .orElse("");
        }
        if (condition instanceof Condition.Ended ended) {
            Termination termination = ended.termination();
            return termination.success()
                    ? "completed: " + termination.summary()
                    : "ended, " + termination.reason()
                            + termination
                                    .summaryAfterReason()
                                    .map(text -> ": " + text)
                                    .orElse("");
        }
        if (condition instanceof Condition.Waiting waiting) {
            return waiting(state, waiting);
        }
        if (condition instanceof Condition.Stopping stopping) {
            return "stopping: " + stopping.causes().get(0).summary();
        }
        if (condition instanceof Condition.Queued queued) {
            return queued.later().isPresent()
                    ? "queued until " + queued.later().get() + ", then continues automatically"
                    : queued.start() ? "queued, continues as soon as a slot is free" : "queued, a resume starts it";
        }
        return state.status().wire() + ", open steps: "
                + String.join(", ", state.steps().keySet())
                + requested(state)
                        .map(pause -> "; pauses when they have ended, "
                                + pause.reason().words() + ": " + pause.message())
                        .orElse("");
    }

    /** The pause that takes effect when the open steps have ended. */
    private static Optional<Pause> requested(RunState state) {
        return state.condition().proceeds() ? state.pauses().stream().findFirst() : Optional.empty();
    }

    private static Optional<ResumePreview> preview(RunState state) {
        ResumeRequest dry = ResumeRequest.PLAIN.with(copy -> copy.dryRun(true));
        return RunMachine.decide(state, new RunInput.Resume(state.createdAt(), dry))
                .preview();
    }
}
