package dev.loopkeeper.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The problem documents of the API as text. */
public final class ProblemText {
    private ProblemText() {}

    /** Returns the server's detail, and below it what is missing, allowed or invalid; one line each. */
    public static List<String> lines(int status, JsonNode problem) {
        List<String> lines = new ArrayList<>();
        lines.add(problem.path("detail").asText("the server refused (HTTP " + status + ")"));
        list(problem, "missing")
                .filter(missing -> !missing.equals(lines.get(0)))
                .ifPresent(missing -> lines.add("missing: " + missing));
        list(problem, "allowedActions").ifPresent(allowed -> lines.add("allowed: " + allowed));
        problem.path("errors").forEach(error -> lines.add(line(error)));
        return lines;
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
