package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.SourceMap;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Puts the items of {@code itemsFrom} files into the document, which then says all by itself. */
final class ItemsFiles {
    private ItemsFiles() {}

    /** A file holds a list, or a map with the key {@code items}; what cannot be read stays {@code itemsFrom}. */
    static void resolve(DocumentReading.Parsed document, Path baseDir, List<ManifestProblem> problems) {
        int index = 0;
        for (JsonNode phase : document.document().path("phases")) {
            String path = "phases[" + index + "].each.itemsFrom";
            // Both keys at once are a problem that the reader tells.
            if (phase.get("each") instanceof ObjectNode each
                    && each.path("itemsFrom").isTextual()
                    && !each.hasNonNull("items")) {
                List<String> place = List.of("phases", Integer.toString(index), "each", "items");
                resolve(each, path, baseDir, problems)
                        .ifPresent(items -> document.sources().put(place, items));
            }
            index++;
        }
    }

    /** Where the items were written, when they could be read. */
    private static Optional<SourceMap> resolve(
            ObjectNode each, String path, Path baseDir, List<ManifestProblem> problems) {
        try {
            DocumentReading reading = TextFile.readItems(
                    baseDir.resolve(each.get("itemsFrom").textValue()).normalize());
            if (reading instanceof DocumentReading.Parsed file) {
                return put(each, path, file, problems);
            }
            ManifestProblem problem = ((DocumentReading.Unreadable) reading).problem();
            problems.add(new ManifestProblem(path, problem.position(), problem.message(), Optional.empty()));
        } catch (InvalidPathException noPath) {
            problems.add(ManifestProblem.at(path, "expected the path of a file"));
        }
        return Optional.empty();
    }

    private static Optional<SourceMap> put(
            ObjectNode each, String path, DocumentReading.Parsed file, List<ManifestProblem> problems) {
        JsonNode content = file.document();
        boolean wrapped = content.isObject() && content.size() == 1;
        JsonNode items = wrapped ? content.path("items") : content;
        if (items instanceof ArrayNode list) {
            each.remove("itemsFrom");
            each.set("items", list);
            return Optional.of(wrapped ? file.sources().find("items") : file.sources());
        }
        String message = "expected the file to hold a list of items, e.g. [{\"id\": \"f1\"}]";
        problems.add(new ManifestProblem(path, file.sources().value(), message, Optional.empty()));
        return Optional.empty();
    }
}
