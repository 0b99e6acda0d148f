package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.submit.Submissions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Templates of a loop for an existing project, in which an agent works until the project's check passes. The agent's
 * command is read from its example, so that it is defined once.
 */
enum OwnProject implements WireName {
    CLAUDE_CODE(Starter.CLAUDE_CODE),
    CODEX(Starter.CODEX),
    GEMINI(Starter.GEMINI),
    OPENCODE(Starter.OPENCODE);

    /** The default check of a project. */
    static final String CHECK = "make test";

    static final String PROMPT = "prompts/work.md";
    private static final String SANDBOX =
            "\n    sandbox: workspace              # writes this folder only; see docs/security.md";

    private static final int LONGEST_NAME = 64;

    private final Starter example;

    OwnProject(Starter example) {
        this.example = example;
    }

    @Override
    public String wire() {
        return example.wire();
    }

    /**
     * Returns the files to write, by their names in the project's folder; the manifest is the first.
     *
     * @param folder gives the name of the manifest
     * @param check a line for {@code sh -c}
     * @param task what the agent is to do; null: the prompt keeps its placeholder
     * @param sandbox whether the agent works in the usual sandbox
     */
    Map<String, String> files(Path folder, String check, String task, boolean sandbox) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(
                Starter.MANIFEST,
                Starter.resource("own/" + Starter.MANIFEST)
                        .replace("@NAME@", name(folder))
                        .replace("@AGENT@", agent() + (sandbox ? SANDBOX : ""))
                        .replace("@CHECK@", quoted(check)));
        String prompt = Starter.resource("own/" + PROMPT);
        files.put(
                PROMPT,
                task == null ? prompt : prompt.replace(Submissions.TASK_PLACEHOLDER, task.replace("{{", "\\{{")));
        files.put(Starter.SCHEMA, Starter.schema());
        return files;
    }

    /** Returns the program of the agent dev. */
    CommandLine program() {
        return CommandLine.ofWords(List.of(wire().split("-", 2)[0]));
    }

    /** Returns the lines of the example about the agent dev, with another prompt. */
    private String agent() throws IOException {
        return example.manifest()
                .lines()
                .dropWhile(line -> !line.equals("  dev:"))
                .takeWhile(line -> !line.equals("  judge:"))
                .collect(Collectors.joining("\n"))
                .replace("prompts/dev.md", PROMPT);
    }

    /** Quotes the check as a JSON string, which is also valid YAML. */
    private static String quoted(String check) throws JsonProcessingException {
        return Json.MAPPER.writeValueAsString(check);
    }

    private static String name(Path folder) {
        Path last = folder.toAbsolutePath().normalize().getFileName();
        String name = (last == null ? "" : last.toString())
                .replaceAll("[^A-Za-z0-9_-]+", "-")
                .replaceAll("^[^A-Za-z0-9]+|-+$", "");
        String cut = name.substring(0, Math.min(LONGEST_NAME, name.length()));
        // Avoids names that YAML would read as a number, a date or a boolean.
        return cut.matches(".*[A-Za-z]{3}.*") && !cut.matches("(?i)null|true|false|yes|off") ? cut : "work";
    }
}
