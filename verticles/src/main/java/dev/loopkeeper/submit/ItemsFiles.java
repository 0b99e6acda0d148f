package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestProblem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Puts the items of {@code itemsFrom} files into the document, which then says all by itself. */
final class ItemsFiles {
    private ItemsFiles() {}

    /** A file holds a list, or a map with the key {@code items}; what cannot be read stays {@code itemsFrom}. */
    static void resolve(ObjectNode document, Path baseDir, List<ManifestProblem> problems) {
        int index = 0;
        for (JsonNode phase : document.path("phases")) {
            String path = "phases[" + index++ + "].each.itemsFrom";
            // Both keys at once are a problem that the reader tells.
            if (phase.get("each") instanceof ObjectNode each
                    && each.path("itemsFrom").isTextual()
                    && !each.hasNonNull("items")) {
                resolve(each, path, baseDir, problems);
            }
        }
    }

    private static void resolve(ObjectNode each, String path, Path baseDir, List<ManifestProblem> problems) {
        try {
            DocumentReading reading = TextFile.read(
                    baseDir.resolve(each.get("itemsFrom").textValue()).normalize());
            if (reading instanceof DocumentReading.Unreadable unreadable) {
                problems.add(ManifestProblem.at(path, unreadable.problem().message()));
            } else {
                put(each, path, ((DocumentReading.Parsed) reading).document(), problems);
            }
        } catch (InvalidPathException noPath) {
            problems.add(ManifestProblem.at(path, "expected the path of a file"));
        }
    }

    private static void put(ObjectNode each, String path, JsonNode content, List<ManifestProblem> problems) {
        JsonNode items = content.isObject() && content.size() == 1 ? content.path("items") : content;
        if (items instanceof ArrayNode list) {
            each.remove("itemsFrom");
            each.set("items", list);
        } else {
            problems.add(
                    ManifestProblem.at(path, "expected the file to hold a list of items, e.g. [{\"id\": \"f1\"}]"));
        }
    }
}
