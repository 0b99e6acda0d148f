package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.OfStep;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.OpenStepBuilder;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.StepIds;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * {@code step.started}: a step is about to be launched; durable before the launch.
 *
 * @param nonce marks this launch
 * @param escalatedFrom the agent that the manifest names at this position, where another one took over
 * @param session the session that it continues; absent: it begins one
 */
@JsonTypeName("step.started")
public record StepStarted(
        String stepId,
        String agent,
        int attempt,
        String nonce,
        @JsonProperty("slot") StepPosition position,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> escalatedFrom,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<EarlierSession> session)
        implements RunEvent, OfStep {
    @Override
    public RunState apply(RunState state, Instant at) {
        OpenStep step = OpenStepBuilder.builder()
                .stepId(stepId)
                .position(position)
                .agent(agent)
                .attempt(attempt)
                .nonce(nonce)
                .startedAt(at)
                .usage(Usage.UNKNOWN)
                .session(session)
                .build();
        Cursor cursor = state.cursor().launched(StepIds.stem(position, agent, attempt), lastStep());
        RunState launched = state.withFeedbackDelivered(position)
                .withCursor(cursor.withWork(workAfter(cursor.work())))
                .counting(before -> position.kind() == StepKind.CHECK ? before : before.plusAttempt()) // runs no agent
                .withSteps(Copies.plus(state.steps(), stepId, step))
                .withRetries(retriesAfter(state));
        RunState running = launched.condition() instanceof Condition.Waiting
                ? launched.withCondition(new Condition.Running())
                : launched;
        RunState taken = escalatedFrom.isEmpty()
                ? running
                : running.withTries(
                        phase(), item(), running.tries(phase(), item()).escalated(agent));
        return position.item()
                .map(id -> taken.changingGit(git -> git.launched(id)))
                .orElse(taken);
    }

    @Override
    public String text() {
        return "step " + stepId + " started"
                + escalatedFrom.map(agent -> ", takes over from " + agent).orElse("")
                + session.map(earlier -> ", continued from " + earlier.stepId()).orElse("");
    }

    private Map<String, Retry> retriesAfter(RunState state) {
        Retry retry = state.retries().get(position.key());
        return retry == null ? state.retries() : Copies.plus(state.retries(), position.key(), retry.withWaiting(false));
    }

    private Cursor.LastStep lastStep() {
        return new Cursor.LastStep(stepId, position, attempt);
    }

    private Work workAfter(Work work) {
        return work instanceof EachWork each && position.item().isPresent()
                ? each.with(each.item(position.item().get()).withLaunched(true))
                : work;
    }
}
