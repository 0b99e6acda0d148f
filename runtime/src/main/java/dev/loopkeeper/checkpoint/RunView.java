package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Cursor;
import dev.loopkeeper.run.EachWork;
import dev.loopkeeper.run.Execution;
import dev.loopkeeper.run.LoopWork;
import dev.loopkeeper.run.Pause;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.Slot;
import dev.loopkeeper.run.Spending;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The run object of the API, the feed's snapshot and the command line. */
public final class RunView {
    private RunView() {}

    /** This state as a run object. */
    public static ObjectNode of(RunState state) {
        ObjectNode run = Json.MAPPER.createObjectNode();
        run.put("runId", state.runId());
        run.put("name", state.plan().manifest().name());
        run.put("status", state.status().wire());
        run.put("execution", state.execution());
        run.put("sequence", state.sequence());
        run.set("position", position(state));
        run.set("pause", pause(state));
        run.set("usage", usage(state.spending()));
        run.set("statistics", tree(state.ledger().statistics()));
        run.set("stopReason", tree(ended(state).flatMap(Condition.Ended::stopReason)));
        run.set("termination", tree(ended(state).map(Condition.Ended::termination)));
        run.set("terminalExhaustion", tree(state.ledger().exhaustion()));
        run.set("terminalExhaustionHistory", tree(state.ledger().exhaustionHistory()));
        run.put("resumable", state.status() != RunStatus.COMPLETED);
        run.set("resumeFrom", resumeFrom(state));
        run.set("executions", tree(state.executions()));
        run.put("workspace", state.plan().workspace());
        run.put("createdAt", state.createdAt().toString());
        run.set(
                "startedAt",
                tree(state.executions().stream().map(Execution::startedAt).findFirst()));
        run.set("endedAt", tree(endedAt(state)));
        return run;
    }

    private static JsonNode tree(Object value) {
        return Json.MAPPER.valueToTree(value);
    }

    private static Optional<Condition.Ended> ended(RunState state) {
        return state.condition() instanceof Condition.Ended ended ? Optional.of(ended) : Optional.empty();
    }

    private static Optional<Instant> endedAt(RunState state) {
        List<Execution> executions = state.executions();
        return ended(state).isEmpty() || executions.isEmpty()
                ? Optional.empty()
                : executions.get(executions.size() - 1).endedAt();
    }

    private static ObjectNode position(RunState state) {
        ObjectNode position = place(state);
        Optional<Cursor.LastStep> last = lastInPhase(state);
        position.set("stepId", tree(last.map(Cursor.LastStep::stepId)));
        position.set("attempt", tree(last.map(Cursor.LastStep::attempt)));
        return position;
    }

    private static Optional<Cursor.LastStep> lastInPhase(RunState state) {
        Optional<String> phase = state.phase().map(PhaseSpec::name);
        return state.cursor()
                .last()
                .filter(last ->
                        phase.isEmpty() || phase.get().equals(last.slot().phase()));
    }

    /** Phase, iteration and item of the present or last step. */
    private static ObjectNode place(RunState state) {
        Optional<Cursor.LastStep> last = lastInPhase(state);
        Optional<Integer> current = state.cursor().work() instanceof LoopWork loop
                ? loop.current().map(iteration -> iteration.number())
                : Optional.empty();
        ObjectNode place = Json.MAPPER.createObjectNode();
        place.set(
                "phase",
                tree(state.phase()
                        .map(PhaseSpec::name)
                        .or(() -> last.map(Cursor.LastStep::slot).map(Slot::phase))));
        place.set(
                "iteration",
                tree(current.or(() -> last.map(Cursor.LastStep::slot).flatMap(Slot::iteration))));
        place.set("item", tree(last.map(Cursor.LastStep::slot).flatMap(Slot::item)));
        return place;
    }

    /** Where the next work would begin, while {@code position} tells where the last one was. */
    private static JsonNode resumeFrom(RunState state) {
        boolean rests = state.status() == RunStatus.PAUSED
                || state.status() == RunStatus.STOPPED
                || state.status() == RunStatus.FAILED;
        if (!rests) {
            return Json.MAPPER.nullNode();
        }
        ObjectNode place = place(state);
        if (state.cursor().work() instanceof LoopWork loop && loop.current().isEmpty()) {
            place.put("iteration", state.cursor().lastIteration() + 1);
        } else if (state.cursor().work() instanceof EachWork each) {
            place.set("item", tree(each.next()));
        }
        return place;
    }

    static JsonNode pause(RunState state) {
        if (state.condition() instanceof Condition.Waiting waiting) {
            return Json.MAPPER
                    .createObjectNode()
                    .put("resumeAt", waiting.resumeAt().toString());
        }
        if (!(state.condition() instanceof Condition.Paused paused)) {
            return Json.MAPPER.nullNode();
        }
        Pause pause = paused.pause();
        ObjectNode view = Json.MAPPER.createObjectNode();
        view.put("reason", pause.reason().wire());
        view.set("detail", tree(pause.detail()));
        view.set("stepId", tree(pause.stepId()));
        view.put("message", pause.message());
        view.set("questions", tree(pause.questions()));
        view.set("keyConcern", tree(pause.keyConcern()));
        view.set("anomalyType", tree(pause.anomalyType()));
        view.set("gaps", tree(pause.gaps()));
        view.set("errorContext", tree(pause.errorContext()));
        view.set("refusedValue", tree(pause.refusedValue()));
        view.set("allowedActions", tree(pause.allowedActions()));
        view.put("since", pause.since().toString());
        view.set("resumeAt", tree(pause.resumeAt()));
        return view;
    }

    /** Unknown is never 0: what no step told is null; a told 0 is one. */
    private static JsonNode usage(Spending spent) {
        ObjectNode usage = Json.MAPPER.createObjectNode();
        if (spent.costTold()) {
            usage.put("costUsd", spent.costUsd().doubleValue());
        } else {
            usage.putNull("costUsd");
        }
        usage.set("inputTokens", tree(spent.inputTokens()));
        usage.set("outputTokens", tree(spent.outputTokens()));
        usage.set("turns", tree(spent.turns()));
        usage.put("costKnown", spent.costTold() && spent.costKnown());
        return usage;
    }
}
