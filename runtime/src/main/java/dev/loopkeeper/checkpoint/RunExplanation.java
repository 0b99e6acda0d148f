package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.ResumeForm;
import dev.loopkeeper.rules.ResumeForms;
import dev.loopkeeper.rules.ResumePreview;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.termination.TerminalExhaustion;
import dev.loopkeeper.view.Explanation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Why a run is where it is, what may be done next, and what that needs. */
public final class RunExplanation {
    /** How many decisions an explanation tells of, the newest: what came before them is in the run's events. */
    public static final int MOST_LINKS = 1000;

    private static final Set<String> DETAIL = Set.of("step.usage", "step.signal");

    /** The types of events that are decisions, not mere detail. */
    public static final Set<String> LINKS =
            EventTypes.all().stream().filter(type -> !DETAIL.contains(type)).collect(Collectors.toUnmodifiableSet());

    private RunExplanation() {}

    /** What an event adds to the chain of decisions; empty for the types that are mere detail. */
    public static Optional<Explanation.Link> link(long sequence, Instant at, String type, JsonNode data) {
        return DETAIL.contains(type)
                ? Optional.empty()
                : Optional.of(new Explanation.Link(
                        sequence, at, type, EventJson.read(type, data).text()));
    }

    /** The explanation of this state with the chain that led there. */
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
                RunView.pause(state),
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
     * Why a run stopped that has not overcome it yet, and what a resume needs, e.g. {@code was stopped by
     * convergence-limit: 6 iterations without success; a resume needs maxIterations above 6, or feedback}. Empty where
     * nothing is to be overcome.
     */
    public static Optional<String> diagnosis(RunState state) {
        return state.ledger()
                .exhaustion()
                .map(record -> diagnosis(
                        record, preview(state).map(ResumePreview::missing).orElse(List.of())));
    }

    /** The same from what clients see: {@code terminalExhaustion} of the run and {@code resumeNeeds} of its explanation. */
    public static String diagnosis(TerminalExhaustion record, List<String> missing) {
        return "was stopped by " + record.reasonCode() + ": " + record.summary() + "; a resume needs "
                + (missing.isEmpty() ? "nothing more" : String.join(", or ", missing));
    }

    private static String summary(RunState state) {
        Condition condition = state.condition();
        if (condition instanceof Condition.Paused paused) {
            return "paused, " + paused.pause().reason().wire() + ": "
                    + paused.pause().message();
        }
        if (condition instanceof Condition.Ended ended) {
            return "ended " + ended.termination().subtype() + ": "
                    + ended.termination().summary();
        }
        if (condition instanceof Condition.Waiting waiting) {
            return "waiting until " + waiting.resumeAt() + ", goes on by itself";
        }
        if (condition instanceof Condition.Stopping stopping) {
            return "stopping: " + stopping.causes().get(0).summary();
        }
        if (condition instanceof Condition.Queued queued) {
            return queued.start() ? "queued, goes on as soon as there is a place" : "queued, a resume starts it";
        }
        return state.status().wire() + ", open steps: "
                + String.join(", ", state.steps().keySet());
    }

    private static Optional<ResumePreview> preview(RunState state) {
        ResumeRequest plain = ResumeRequest.PLAIN;
        ResumeRequest dry = new ResumeRequest(
                plain.action(),
                plain.feedback(),
                plain.costUsd(),
                plain.tokens(),
                plain.turns(),
                plain.maxIterations(),
                plain.maxAttempts(),
                plain.stopConditions(),
                plain.resetItems(),
                plain.resetStatistics(),
                plain.acknowledge(),
                plain.waive(),
                plain.force(),
                true);
        Decision decision = RunMachine.decide(state, new RunInput.Resume(state.createdAt(), dry));
        return decision.preview();
    }
}
