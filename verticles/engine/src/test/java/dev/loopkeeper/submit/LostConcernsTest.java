package dev.loopkeeper.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LostConcernsTest {
    @TempDir
    private Path folder;

    private List<ManifestProblem> warnings(String context, String prompt) throws IOException {
        Files.writeString(folder.resolve("dev.md"), prompt);
        JsonNode document = Json.MAPPER.readTree("""
                {"name": "demo", "agents": {
                   "dev": {"command": ["dev"], "prompt": "dev.md", "context": "%s"},
                   "judge": {"command": ["judge"], "signal": "judge.json"}},
                 "phases": [{"name": "build", "loop": {"steps": ["dev", "judge"]}}]}""".formatted(context));
        ManifestReading reading = ManifestReader.read(document);
        return LostConcerns.of(((ManifestReading.Valid) reading).manifest(), folder);
    }

    @Test
    void aJudgeWhoseConcernReachesNoOtherAgentIsAWarning() throws IOException {
        assertThat(warnings("none", "Fix it.")).singleElement().satisfies(warning -> {
            assertThat(warning.path()).isEqualTo("agents.dev.context");
            assertThat(warning.message()).contains("judge", "build", "{{last.concern}}");
        });
    }

    @Test
    void aPromptWithTheConcernLosesNone() throws IOException {
        assertThat(warnings("none", "Fix it: {{last.concern}}")).isEmpty();
        assertThat(warnings("append", "Fix it.")).isEmpty();
    }
}
