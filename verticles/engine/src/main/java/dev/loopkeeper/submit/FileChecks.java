package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.TemplateNames;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.SourcePosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks every file and program that a document names. Works on the raw document, so that its problems are listed with
 * those of the reader. Values of a wrong type are left to the reader.
 */
final class FileChecks {
    private static final long LARGEST_PROMPT = 8 * 1024 * 1024;
    private static final int MOST_NAMES = 20;

    private final ObjectNode document;
    private final BaseFolders folders;
    private final Map<String, String> environment;
    private final List<ManifestProblem> problems;
    private final List<ManifestProblem> warnings = new ArrayList<>();

    FileChecks(
            ObjectNode document, BaseFolders folders, Map<String, String> environment, List<ManifestProblem> problems) {
        this.document = document;
        this.folders = folders;
        this.environment = with(environment, document.path("env"));
        this.problems = problems;
    }

    /** Notes every problem; answers with warnings. */
    List<ManifestProblem> run() {
        for (Map.Entry<String, JsonNode> agent : document.path("agents").properties()) {
            agent(agent.getValue(), "agents." + agent.getKey());
        }
        int index = 0;
        for (JsonNode phase : document.path("phases")) {
            String path = "phases[" + index++ + "].loop.until.command";
            command(phase.path("loop").path("until").path("command"), path, ".", environment);
        }
        index = 0;
        for (JsonNode phase : document.path("phases")) {
            echoes(phase.path("loop"), "phases[" + index++ + "].loop.until.output");
        }
        index = 0;
        for (JsonNode notification : document.path("notify")) {
            String path = "notify[" + index++ + "].command";
            command(notification.path("command"), path, ".", environment);
            template(notification.path("command"), path);
        }
        return warnings;
    }

    /** An agent of plain text that prints its prompt, as many do, would end such a loop at once. */
    private void echoes(JsonNode loop, String path) {
        String text = loop.path("until").path("output").asText();
        if (text.isEmpty() || folders.baseDir().isEmpty()) {
            return;
        }
        Set<String> agents = new TreeSet<>();
        loop.path("steps").forEach(step -> agents.add(step.path("agent").asText(step.asText())));
        for (String name : agents) {
            JsonNode agent = document.path("agents").path(name);
            boolean plain = agent.path("output").asText("text").equals("text");
            if (plain
                    && agent.path("prompt").isTextual()
                    && holds(agent.path("prompt").textValue(), text)) {
                warnings.add(ManifestProblem.at(
                        path,
                        "is also in " + agent.path("prompt").textValue() + ", the prompt of " + name
                                + ", whose output is plain text: the loop ends at once if " + name
                                + " prints its prompt. Describe the text in the prompt without writing it, or set"
                                + " output of " + name + " to the format it prints"));
            }
        }
    }

    private boolean holds(String prompt, String text) {
        try {
            Path file = folders.baseDir().orElseThrow().resolve(prompt);
            return Files.isRegularFile(file)
                    && Files.size(file) <= LARGEST_PROMPT
                    && Files.readString(file).contains(text);
        } catch (IOException | InvalidPathException unreadable) { // the check of the prompt itself reports it
            return false;
        }
    }

    private void agent(JsonNode agent, String path) {
        String cwd = agent.path("cwd").isTextual() ? agent.path("cwd").textValue() : ".";
        prompt(agent.path("prompt"), path + ".prompt");
        boolean usable = folders.workspace().isPresent() && folder(cwd, path + ".cwd");
        if (folders.workspace().isPresent() && agent.path("signal").isTextual()) {
            signal(agent.path("signal").textValue(), path + ".signal");
        }
        Map<String, String> own = with(environment, agent.path("env"));
        command(agent.path("command"), path + ".command", usable ? cwd : ".", own);
    }

    private void prompt(JsonNode prompt, String path) {
        if (folders.baseDir().isEmpty() || !prompt.isTextual()) {
            return;
        }
        try {
            Path file = folders.baseDir().get().resolve(prompt.textValue()).normalize();
            if (!Files.exists(file)) {
                refuse(path, "there is no file " + file);
            } else if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                refuse(path, file + " is not a readable file");
            } else {
                names(file, path);
                if (holds(prompt.textValue(), Submissions.TASK_PLACEHOLDER)) {
                    warnings.add(ManifestProblem.at(
                            path, file + " still has " + Submissions.TASK_PLACEHOLDER + "; replace it by the task"));
                }
            }
        } catch (InvalidPathException noPath) {
            refuse(path, "expected the path of a file");
        }
    }

    /** Each word of a command, or the one text, of a notification is a template. */
    private void template(JsonNode command, String path) {
        List<JsonNode> words = new ArrayList<>();
        if (command.isTextual()) {
            words.add(command);
        } else {
            command.forEach(words::add);
        }
        for (JsonNode word : words) {
            TemplateNames.unknown(word.asText(), TemplateNames.NOTIFICATION).stream()
                    .map(unknown -> unknown(path, "", unknown))
                    .forEach(problems::add);
        }
    }

    private void names(Path file, String path) {
        Set<String> variables = new TreeSet<>(fieldNames(document.path("vars")));
        boolean known = true;
        for (JsonNode phase : document.path("phases")) {
            known &= !phase.path("each").hasNonNull("itemsFrom");
            phase.path("each").path("items").forEach(item -> variables.addAll(fieldNames(item.path("vars"))));
        }
        boolean namesOfItems = known; // else a file may still bring others
        try {
            if (Files.size(file) <= LARGEST_PROMPT) {
                TemplateNames.unknown(Files.readString(file), TemplateNames.ofPrompt(variables)).stream()
                        .filter(unknown -> namesOfItems || !unknown.name().startsWith("vars."))
                        .limit(MOST_NAMES)
                        .map(unknown -> unknown(path, file + ", line " + unknown.line() + ": ", unknown))
                        .forEach(problems::add);
            }
        } catch (IOException unreadable) {
            refuse(path, file + " cannot be read as UTF-8 text: " + unreadable.getMessage());
        }
    }

    private static ManifestProblem unknown(String path, String where, TemplateNames.Unknown unknown) {
        String message = where + "unknown name {{" + unknown.name() + "}}; write \\{{ for literal braces";
        return new ManifestProblem(path, SourcePosition.UNKNOWN, message, unknown.nearest());
    }

    private static List<String> fieldNames(JsonNode map) {
        List<String> names = new ArrayList<>();
        map.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private boolean folder(String written, String path) {
        Path workspace = folders.workspace().orElseThrow();
        Optional<String> objection = new Bounds(workspace).objection(written);
        if (objection.isPresent()) {
            refuse(path, objection.get());
            return false;
        }
        Path folder = workspace.resolve(written).normalize();
        if (Files.exists(folder) ? !Files.isDirectory(folder) : !Files.isDirectory(folder.getParent())) {
            refuse(path, "there is no folder " + folder + "; create it");
        }
        return true;
    }

    private void signal(String written, String path) {
        Path workspace = folders.workspace().orElseThrow();
        Optional<String> objection = new Bounds(workspace).objection(written);
        objection.ifPresent(message -> refuse(path, message));
        if (objection.isEmpty() && Files.isDirectory(workspace.resolve(written))) {
            refuse(path, "expected the path of a file, found the folder " + written);
        }
    }

    private void command(JsonNode command, String path, String cwd, Map<String, String> env) {
        if (folders.workspace().isEmpty()) {
            return;
        }
        Path folder = folders.workspace().get().resolve(cwd).normalize();
        ProgramLookup lookup = ProgramLookup.in(folders.baseDir().orElse(folder), folder, env);
        CommandCheck.objection(command, lookup, env.containsKey("PATH")).ifPresent(message -> refuse(path, message));
    }

    private static Map<String, String> with(Map<String, String> environment, JsonNode more) {
        Map<String, String> all = new HashMap<>(environment);
        for (Map.Entry<String, JsonNode> entry : more.properties()) {
            if (entry.getValue().isValueNode() && !entry.getValue().isNull()) {
                all.put(entry.getKey(), entry.getValue().asText());
            }
        }
        return all;
    }

    private void refuse(String path, String message) {
        problems.add(ManifestProblem.at(path, message));
    }
}
