package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Decision;
import dev.loopkeeper.run.ResumePreview;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunInput;
import dev.loopkeeper.run.RunMachine;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Why a run is where it is, what may be done next, and what that needs. */
public final class RunExplanation {
    private static final Set<String> DETAIL = Set.of("step.usage", "step.signal");

    private RunExplanation() {}

    /** Whether events of this type belong to the chain of decisions. */
    public static boolean decides(String type) {
        return !DETAIL.contains(type);
    }

    /** The explanation of this state with the chain that led there. */
    public static JsonNode of(RunState state, ArrayNode chain) {
        ObjectNode explanation = Json.MAPPER.createObjectNode();
        explanation.put("runId", state.runId());
        explanation.put("status", state.status().wire());
        explanation.put("summary", summary(state));
        explanation.set("pause", RunView.pause(state));
        if (state.condition() instanceof Condition.Ended ended) {
            ended.termination().advice().ifPresent(advice -> explanation.put("advice", advice));
        }
        explanation.set("allowedActions", Json.MAPPER.valueToTree(actions(state)));
        preview(state).ifPresent(preview -> {
            explanation.set("resumeNeeds", Json.MAPPER.valueToTree(preview.missing()));
            explanation.set("kept", Json.MAPPER.valueToTree(preview.kept()));
            explanation.set("redone", Json.MAPPER.valueToTree(preview.redone()));
        });
        explanation.set("chain", chain);
        return explanation;
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

    private static List<ResumeAction> actions(RunState state) {
        if (state.condition() instanceof Condition.Paused paused) {
            return paused.pause().allowedActions();
        }
        boolean again = state.condition() instanceof Condition.Ended ended
                && !ended.termination().success();
        return again ? List.of(ResumeAction.CONTINUE) : List.of();
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
