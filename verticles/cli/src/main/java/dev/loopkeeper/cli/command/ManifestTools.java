package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.gateway.mcp.McpService;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.SubmitOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tools that take a manifest, where they name a file of this machine. */
record ManifestTools(Session session, RootCommand root, McpCommand.Workers workers) implements McpService.LocalTools {
    private static final String PATH = "path";

    @Override
    public McpService.Work of(String name, McpService.Work usual) {
        return switch (name) {
            case "validate" ->
                (api, arguments) -> arguments.has(PATH)
                        ? workers.begin(() -> checked(arguments).findings())
                        : usual.call(api, arguments);
            case "submit" ->
                (api, arguments) -> arguments.has(PATH)
                        ? workers.begin(() -> body(arguments)).thenCompose(body -> usual.call(api, body))
                        : usual.call(api, arguments);
            default -> usual;
        };
    }

    private static Path file(ObjectNode arguments) {
        if (arguments.has("manifest")) {
            throw CommandFailure.refused("give either manifest or path, not both");
        }
        return Path.of(arguments.path(PATH).asText());
    }

    private Submission checked(ObjectNode arguments) {
        Map<String, String> vars = new LinkedHashMap<>();
        arguments
                .path("vars")
                .properties()
                .forEach(each -> vars.put(each.getKey(), each.getValue().asText()));
        SubmitOptions options = new SubmitOptions(
                Optional.ofNullable(arguments.path("workspace").textValue()), vars, Map.of());
        return ManifestOptions.check(session, root, ManifestOptions.ofServer(root), file(arguments), options);
    }

    /** Returns the arguments with the file's manifest in place of its path. */
    private ObjectNode body(ObjectNode arguments) {
        Submission checked = checked(arguments);
        if (checked instanceof Submission.Refused refused) {
            throw CommandFailure.refused(
                    ManifestOptions.text(file(arguments), refused.problems()) + "\nnothing was started");
        }
        ObjectNode body = SubmitCommand.body((Submission.Accepted) checked, null, true);
        ObjectNode given = arguments.deepCopy().without(List.of(PATH, "workspace", "vars"));
        return body.setAll(given);
    }
}
