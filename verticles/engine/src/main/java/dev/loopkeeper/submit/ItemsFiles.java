package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ItemsReading;
import dev.loopkeeper.manifest.read.ManifestProblem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads files of items. Each is read when its phase begins, since a phase before may write it; the file of a first
 * phase is checked before that, too. Blocking.
 */
public final class ItemsFiles {
    private ItemsFiles() {}

    /** The items of this file, in which there is a list, or a map with the key {@code items}. */
    public static ItemsReading read(Path file) {
        DocumentReading reading = TextFile.readItems(file);
        return reading instanceof DocumentReading.Parsed parsed
                ? ItemsReading.of(parsed)
                : new ItemsReading.Invalid(List.of(((DocumentReading.Unreadable) reading).problem()));
    }

    /** Notes what is wrong with the file of the first phase, and with the paths of all. */
    static void check(JsonNode document, Path baseDir, List<ManifestProblem> problems) {
        int index = 0;
        for (JsonNode phase : document.path("phases")) {
            JsonNode each = phase.path("each");
            // Both keys at once are a problem that the reader reports.
            if (each.path("itemsFrom").isTextual() && !each.hasNonNull("items")) {
                check(each, index, baseDir, problems);
            }
            index++;
        }
    }

    private static void check(JsonNode each, int index, Path baseDir, List<ManifestProblem> problems) {
        String path = "phases[" + index + "].each.items";
        try {
            Path file = baseDir.resolve(each.get("itemsFrom").textValue()).normalize();
            if (index == 0 && read(file) instanceof ItemsReading.Invalid invalid) {
                invalid.problems().forEach(problem -> problems.add(below(path, problem)));
            }
        } catch (InvalidPathException noPath) {
            problems.add(ManifestProblem.at(path + "From", "expected the path of a file"));
        }
    }

    private static ManifestProblem below(String path, ManifestProblem problem) {
        String whole = problem.path().isEmpty() ? path + "From" : path + problem.path();
        return new ManifestProblem(whole, problem.position(), problem.message(), problem.suggestion());
    }
}
