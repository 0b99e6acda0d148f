package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.submit.Submission;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes a manifest independent of its folder, since a server that receives it knows only the workspace. */
record AbsolutePaths(Path baseDir) {
    /** Returns the document with absolute paths of the prompts, item files and programs in the manifest's folder. */
    static JsonNode in(Submission.Accepted accepted) {
        JsonNode document = accepted.document().deepCopy();
        AbsolutePaths paths = new AbsolutePaths(Path.of(accepted.baseDir()));
        document.path("agents").forEach(agent -> {
            paths.file(agent, "prompt");
            paths.program(agent.path("command"));
        });
        document.path("phases").forEach(phase -> {
            paths.program(phase.path("loop").path("until").path("command"));
            paths.file(phase.path("each"), "itemsFrom");
        });
        document.path("notify").forEach(notification -> paths.program(notification.path("command")));
        return document;
    }

    private void file(JsonNode holder, String key) {
        if (holder instanceof ObjectNode fields && holder.path(key).isTextual()) {
            fields.put(
                    key,
                    baseDir.resolve(holder.path(key).textValue()).normalize().toString());
        }
    }

    /**
     * Makes the program of a command list absolute if it is in the manifest's folder; otherwise the step resolves it.
     */
    private void program(JsonNode command) {
        String word = command.path(0).asText();
        if (command instanceof ArrayNode words && word.contains("/")) {
            Path program = baseDir.resolve(word).normalize();
            if (Files.isRegularFile(program) && Files.isExecutable(program)) {
                words.set(0, program.toString());
            }
        }
    }
}
