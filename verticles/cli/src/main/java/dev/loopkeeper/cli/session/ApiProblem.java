package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Converts a problem document of the API to the failure of a command. */
final class ApiProblem {
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int FIRST_SERVER_ERROR = 500;

    private static final String WITH = " with --token-file or LOOPKEEPER_TOKEN";

    private ApiProblem() {}

    /** Returns the failure with the server's detail, and below it what is missing, allowed or invalid. */
    static CommandFailure failure(int status, JsonNode problem) {
        List<String> lines = new ArrayList<>();
        lines.add(problem.path("detail").asText("the server refused (HTTP " + status + ")"));
        list(problem, "missing")
                .filter(missing -> !missing.equals(lines.get(0)))
                .ifPresent(missing -> lines.add("missing: " + missing));
        list(problem, "allowedActions").ifPresent(allowed -> lines.add("allowed: " + allowed));
        problem.path("errors").forEach(error -> lines.add(line(error)));
        boolean mayNot = problem.path("code").asText().equals("forbidden-scope");
        if (status == UNAUTHORIZED || mayNot) {
            lines.add("give a token " + (mayNot ? "of the scope control" : "that this server accepts") + WITH);
            return new TokenRefused(String.join("\n", lines));
        }
        if (problem.path("code").asText().equals(StoreUnavailable.CODE)) {
            return new StoreUnavailable(String.join("\n", lines));
        }
        if (problem.path("code").asText().equals(ServerGone.CODE)) {
            return new ServerGone(String.join("\n", lines), false);
        }
        boolean unreachable = status == NOT_FOUND || status >= FIRST_SERVER_ERROR;
        return new CommandFailure(unreachable ? ExitCodes.UNREACHABLE : ExitCodes.REFUSED, String.join("\n", lines));
    }

    private static Optional<String> list(JsonNode problem, String name) {
        JsonNode value = problem.path(name);
        if (value.isTextual()) {
            return Optional.of(value.asText());
        }
        List<String> words = new ArrayList<>();
        value.forEach(word -> words.add(word.isTextual() ? word.asText() : word.toString()));
        return words.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", words));
    }

    private static String line(JsonNode error) {
        return new ManifestProblem(
                        error.path("path").asText(),
                        SourcePosition.UNKNOWN,
                        error.path("message").asText(),
                        Optional.ofNullable(error.path("suggestion").textValue()))
                .text();
    }
}
