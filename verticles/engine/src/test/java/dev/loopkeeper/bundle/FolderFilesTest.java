package dev.loopkeeper.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.StepFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderFilesTest {
    private static final String PROMPT = "steps/p.dev.1/prompt.md";

    @TempDir
    private Path data;

    private StepFiles step;
    private FolderFiles files;

    @BeforeEach
    void writeStep() throws IOException {
        step = StepFiles.of(data, "r", "p.dev.1");
        step.make();
        Files.writeString(step.path().resolve("prompt.md"), "Fix the tests.\n");
        Files.writeString(step.path().resolve("exit.json"), "{\"exitCode\":0}\n");
        Files.writeString(step.path().resolve("context.json"), "{}");
        Files.writeString(step.path().resolve("stdout.log"), "hello\n");
        Files.createFile(step.path().resolve("stderr.log"));
        files = new FolderFiles(data);
    }

    private static String text(AtomicFile.Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        content.writeTo(bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The last step of a run ends just before its export. */
    @Test
    void whatIsListedStaysWhenTheStepIsTidied() throws IOException {
        SortedMap<String, AtomicFile.Content> listed = files.of("r");
        assertThat(listed).containsOnlyKeys(PROMPT, "steps/p.dev.1/stdout.log");

        step.tidy();

        assertThat(text(listed.get(PROMPT))).isEqualTo("Fix the tests.\n");
        assertThat(text(listed.get("steps/p.dev.1/stdout.log"))).isEqualTo("hello\n");
    }

    /** Another node requests them part by part. */
    @Test
    void partsOfThemAreReadToo() throws IOException {
        step.tidy();
        assertThat(files.read("r", PROMPT, 4, 3)).asString().isEqualTo("the");
        assertThat(files.read("r", PROMPT, 8, 100)).asString().isEqualTo("tests.\n");
        assertThat(files.read("r", PROMPT, 99, 100)).isEmpty();
    }

    @Test
    void whatIsNotOfTheBundleIsNotThere() throws IOException {
        step.tidy();
        for (String path : new String[] {
            "steps/p.dev.1/claim.json",
            "steps/p.dev.2/prompt.md",
            "steps/ p/prompt.md",
            "prompt.md",
            "steps/p.dev.1/context.json",
            "steps/p.dev.1/exit.json"
        }) {
            assertThatThrownBy(() -> files.read("r", path, 0, 10)).as(path).isInstanceOf(NoSuchFileException.class);
        }
    }
}
