package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.ItemSpec;
import java.util.List;

/** The result of reading a file of items. */
public sealed interface ItemsReading {
    /** The items, in their order. */
    record Valid(List<ItemSpec> items) implements ItemsReading {}

    /**
     * A document that is not a list of items.
     *
     * @param problems all problems, at least one
     */
    record Invalid(List<ManifestProblem> problems) implements ItemsReading {}

    /** Reads a list, or a map with the key {@code items}. Never throws, whatever the document. */
    static ItemsReading of(DocumentReading.Parsed document) {
        JsonNode content = document.document();
        boolean wrapped = content.isObject() && content.size() == 1;
        JsonNode items = wrapped ? content.path("items") : content;
        if (!items.isArray()) {
            return new Invalid(
                    List.of(ManifestProblem.at("", "expected the file to hold a list of items, e.g. [{\"id\": \"f1\"}]")
                            .located(document.sources())));
        }
        Problems problems = new Problems();
        SourceMap sources = wrapped ? document.sources().find("items") : document.sources();
        List<ItemSpec> read = ItemsReader.read(new DocumentNode(items, Place.root(sources), problems));
        return problems.isEmpty() ? new Valid(read) : new Invalid(problems.inDocumentOrder());
    }
}
