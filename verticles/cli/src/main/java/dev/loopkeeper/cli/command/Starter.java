package dev.loopkeeper.cli.command;

import dev.loopkeeper.json.WireName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The manifests of {@code conf/examples}, which {@code init} copies into a new project. */
enum Starter implements WireName {
    IMPROVE_REPORT(
            "improve-report/dev.sh",
            "improve-report/judge.sh",
            "improve-report/orders.csv",
            "improve-report/prepare.sh"),
    PARALLEL_ITEMS("parallel-items/check.sh", "parallel-items/write.sh"),
    CLAUDE_CODE("prompts/dev.md", "prompts/judge.md"),
    CODEX("prompts/dev.md", "prompts/judge.md"),
    GEMINI("prompts/dev.md", "prompts/judge.md"),
    OPENCODE("prompts/dev.md", "prompts/judge.md"),
    TWO_MODELS("prompts/dev.md", "prompts/judge.md");

    /** The name of the manifest in the new project. */
    static final String MANIFEST = "loopkeeper.yaml";
    /** The manifest's schema in the same folder, so that editors need no network. */
    static final String SCHEMA = "loopkeeper.schema.json";

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes lists that never change
    private final List<String> files;

    Starter(String... files) {
        this.files = List.of(files);
    }

    @Override
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the files that the manifest needs, relative to it. */
    List<String> files() {
        return files;
    }

    /** Returns the manifest, with references to its file name and schema adapted to the new project. */
    String manifest() throws IOException {
        String example = wire() + ".yaml";
        return text(example)
                .replace("$schema=../manifest.schema.json", "$schema=" + SCHEMA)
                .replace("conf/examples/" + example, MANIFEST)
                .replace("conf/examples/", "");
    }

    /** Returns the content of one of {@link #files}. */
    String text(String file) throws IOException {
        return resource("examples/" + file);
    }

    /** Returns the schema of manifests. */
    static String schema() throws IOException {
        return resource("manifest.schema.json");
    }

    /** Returns a text file of this jar. */
    static String resource(String path) throws IOException {
        try (InputStream in = Starter.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IOException("the file " + path + " is not in this jar; install Loopkeeper again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
