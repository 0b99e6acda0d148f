package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.data.StepToken;
import dev.loopkeeper.gateway.mcp.McpLimits;
import dev.loopkeeper.gateway.mcp.McpService;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.process.tree.StepEnvironment;
import dev.loopkeeper.verdict.SignalDraft;
import dev.loopkeeper.verdict.SignalOption;
import dev.loopkeeper.verdict.SignalStep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The tools of an agent inside a step; its environment says which step. */
final class StepTools implements McpService.LocalTools {
    private static final String ASK_ID = "askId";

    private final Session session;
    private final RootCommand root;
    private final McpCommand.Workers workers;
    private final Map<String, String> environment;

    StepTools(Session session, RootCommand root, McpCommand.Workers workers) {
        this.session = session;
        this.root = root;
        this.workers = workers;
        this.environment = root.console().environment();
    }

    boolean isInside() {
        return !environment.getOrDefault(StepEnvironment.STEP_ID, "").isEmpty();
    }

    @Override
    public McpService.Work of(String name, McpService.Work usual) {
        return switch (name) {
            case "signal" -> (api, arguments) -> workers.begin(() -> signal(arguments));
            case "ask" -> (api, arguments) -> workers.begin(() -> ask(arguments));
            default -> (api, arguments) -> workers.begin(this::context);
        };
    }

    /** Returns the fields that a signal usually has, as properties of a JSON Schema. */
    static ObjectNode signalFields() {
        ObjectNode fields = Json.MAPPER.createObjectNode();
        for (SignalOption option : SignalOption.values()) {
            ObjectNode field = fields.putObject(option.field()).put("description", option.meaning());
            if (option.repeats()) {
                field.put("type", "array").putObject("items").put("type", "string");
            } else {
                field.put("type", "string");
            }
            if (!option.allowed().isEmpty()) {
                option.allowed().forEach(field.putArray("enum")::add);
            }
        }
        return fields;
    }

    private JsonNode signal(ObjectNode arguments) {
        SignalStep step = SignalCommand.step(environment);
        if (arguments.has(SignalOption.QUESTION.field()) && !arguments.has("userInputNeeded")) {
            arguments.put("userInputNeeded", true);
            if (arguments.size() == 2) {
                arguments.put(SignalOption.STATUS.field(), "partial");
            }
        }
        SignalCommand.write(step, SignalDraft.of(arguments.toString().getBytes(StandardCharsets.UTF_8), step));
        ObjectNode written = Json.MAPPER.createObjectNode().put("file", step.file());
        return written.set("signal", arguments);
    }

    /** Records the question unless it has an id, then waits for its answer. */
    private JsonNode ask(ObjectNode arguments) {
        String asks = "/runs/" + AskCommand.of(environment, StepEnvironment.RUN_ID) + "/steps/"
                + AskCommand.of(environment, StepEnvironment.STEP_ID) + "/asks";
        Api api = AskCommand.server(session, root, AskCommand.of(environment, StepToken.VARIABLE))
                .orElseThrow(() -> CommandFailure.unreachable("no process serves "
                        + root.dataFolder().path() + " at the moment; call ask again in a few seconds"))
                .within(McpLimits.LONGEST_CALL);
        if (!arguments.has(ASK_ID)) {
            ObjectNode body = arguments.put("key", UUID.randomUUID().toString());
            JsonNode asked = api.call("POST", asks, Optional.of(body));
            return waited(api, asks, asked.path(ASK_ID).asText());
        }
        return waited(api, asks, arguments.path(ASK_ID).asText());
    }

    private static JsonNode waited(Api api, String asks, String askId) {
        try {
            return api.call(
                    "GET",
                    asks + "/" + Api.encoded(askId) + "?wait=" + McpLimits.LONGEST_WAIT.toSeconds() + "s",
                    Optional.empty());
        } catch (CommandFailure unanswered) {
            throw new CommandFailure(
                    unanswered.exitCode(),
                    unanswered.getMessage() + "\nthe question may still be open; call ask again with askId " + askId);
        }
    }

    private JsonNode context() throws IOException {
        String file = environment.getOrDefault("LOOPKEEPER_CONTEXT_FILE", "");
        if (file.isEmpty()) {
            throw CommandFailure.refused("this step has no context: LOOPKEEPER_CONTEXT_FILE is not set");
        }
        return Json.MAPPER.readTree(Files.readString(Path.of(file)));
    }
}
