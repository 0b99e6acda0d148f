package dev.loopkeeper.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.contract.run.PauseRun;
import dev.loopkeeper.contract.run.ResumeRun;
import dev.loopkeeper.contract.run.RunAnswer;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.contract.run.StopRun;
import dev.loopkeeper.json.JsonProblem;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.request.ResumeFields;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.verdict.RefusedValue;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a control file asks for: the verb and how the scheduler is asked. */
final class ControlCommand {
    private static final String VERB = "action";
    private static final String RESUME_ACTION = "resumeAction";
    private static final String REASON = "reason";
    private static final String NOW = "now";
    private static final String ALLOWED = "; it must be stop, pause or resume";
    private static final Set<String> ANYTHING = Stream.concat(
                    ResumeFields.NAMES.stream(), Stream.of(VERB, RESUME_ACTION, REASON, NOW))
            .collect(Collectors.toUnmodifiableSet());
    private static final Set<String> RESUME = Stream.concat(ResumeFields.NAMES.stream(), Stream.of(VERB, RESUME_ACTION))
            .collect(Collectors.toUnmodifiableSet());

    /** How a run is asked for this. */
    private interface Question {
        Future<RunAnswer> ask(EventBus bus, String runId, Duration patience);
    }

    private final String verb;
    private final Question question;

    private ControlCommand(String verb, Question question) {
        this.verb = verb;
        this.question = question;
    }

    /** Fails with {@link JsonProblem}. */
    static ControlCommand read(byte[] json) {
        StrictObject any = StrictObject.read(json, "the file", ANYTHING);
        JsonNode verb = any.any(VERB).orElseThrow(() -> JsonProblem.at(VERB, "is missing" + ALLOWED));
        return switch (verb.isTextual() ? verb.textValue() : "") {
            case "stop" -> stop(StrictObject.read(json, "the file", Set.of(VERB, REASON, NOW)));
            case "pause" -> pause(StrictObject.read(json, "the file", Set.of(VERB, REASON)));
            case "resume" -> resume(StrictObject.read(json, "the file", RESUME));
            default -> throw JsonProblem.at(VERB, "is unknown: " + RefusedValue.of(verb) + ALLOWED);
        };
    }

    private static ControlCommand stop(StrictObject file) {
        Optional<String> reason = file.text(REASON);
        boolean now = file.flag(NOW, false);
        return new ControlCommand(
                "stop", (bus, runId, patience) -> RunChannels.STOP.ask(bus, new StopRun(runId, reason, now), patience));
    }

    private static ControlCommand pause(StrictObject file) {
        Optional<String> reason = file.text(REASON);
        return new ControlCommand(
                "pause", (bus, runId, patience) -> RunChannels.PAUSE.ask(bus, new PauseRun(runId, reason), patience));
    }

    private static ControlCommand resume(StrictObject file) {
        ResumeFields fields = new ResumeFields(file, RESUME_ACTION);
        fields.unknownAction().ifPresent(unknown -> {
            throw JsonProblem.at(
                    RESUME_ACTION,
                    "is unknown: " + RefusedValue.of(TextNode.valueOf(unknown)) + "; allowed are "
                            + String.join(", ", ResumeFields.ACTIONS));
        });
        ResumeRequest request = fields.request();
        return new ControlCommand(
                "resume",
                (bus, runId, patience) -> RunChannels.RESUME.ask(bus, new ResumeRun(runId, request), patience));
    }

    String verb() {
        return verb;
    }

    /** Asks for it; completes when that is durable or refused. */
    Future<RunAnswer> carryOut(EventBus bus, String runId, Duration patience) {
        return question.ask(bus, runId, patience);
    }
}
