package dev.loopkeeper.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StopRun;
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

/** A command from a control file: its name and the request to the scheduler. */
final class ControlCommand {
    private static final String ACTION = "action";
    private static final String RESUME_ACTION = "resumeAction";
    private static final String REASON = "reason";
    private static final String NOW = "now";
    private static final String ALLOWED = "; it must be stop, pause or resume";
    private static final Set<String> ANYTHING = Stream.concat(
                    ResumeFields.NAMES.stream(), Stream.of(ACTION, RESUME_ACTION, REASON, NOW))
            .collect(Collectors.toUnmodifiableSet());
    private static final Set<String> RESUME = Stream.concat(
                    ResumeFields.NAMES.stream(), Stream.of(ACTION, RESUME_ACTION))
            .collect(Collectors.toUnmodifiableSet());

    /** Sends the command for a run. */
    private interface Question {
        Future<RunAnswer> ask(EventBus bus, String runId, Duration timeout);
    }

    private final String name;
    private final Question question;

    private ControlCommand(String name, Question question) {
        this.name = name;
        this.question = question;
    }

    /** Reads a command; fails with {@link JsonProblem}. */
    static ControlCommand read(byte[] json) {
        StrictObject any = StrictObject.read(json, "the file", ANYTHING);
        JsonNode name = any.any(ACTION).orElseThrow(() -> JsonProblem.at(ACTION, "is missing" + ALLOWED));
        return switch (name.isTextual() ? name.textValue() : "") {
            case "stop" -> stop(StrictObject.read(json, "the file", Set.of(ACTION, REASON, NOW)));
            case "pause" -> pause(StrictObject.read(json, "the file", Set.of(ACTION, REASON)));
            case "resume" -> resume(StrictObject.read(json, "the file", RESUME));
            default -> throw JsonProblem.at(ACTION, "is unknown: " + RefusedValue.of(name) + ALLOWED);
        };
    }

    private static ControlCommand stop(StrictObject file) {
        Optional<String> reason = file.text(REASON);
        boolean now = file.flag(NOW, false);
        return new ControlCommand(
                "stop", (bus, runId, timeout) -> RunChannels.STOP.ask(bus, new StopRun(runId, reason, now), timeout));
    }

    private static ControlCommand pause(StrictObject file) {
        Optional<String> reason = file.text(REASON);
        return new ControlCommand(
                "pause", (bus, runId, timeout) -> RunChannels.PAUSE.ask(bus, new PauseRun(runId, reason), timeout));
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
                "resume", (bus, runId, timeout) -> RunChannels.RESUME.ask(bus, new ResumeRun(runId, request), timeout));
    }

    String name() {
        return name;
    }

    /** Sends the command; completes when it is durable or refused. */
    Future<RunAnswer> execute(EventBus bus, String runId, Duration timeout) {
        return question.ask(bus, runId, timeout);
    }
}
