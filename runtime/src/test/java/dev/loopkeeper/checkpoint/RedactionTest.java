package dev.loopkeeper.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.run.ChangedManifest;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RedactionTest {
    private static JsonNode created(String manifest) throws JsonProcessingException {
        JsonNode document = Json.MAPPER.readTree(manifest);
        Manifest read = ((ManifestReading.Valid) ManifestReader.read(document)).manifest();
        return EventJson.write(new RunCreated(
                "r",
                "one",
                "n",
                "/",
                "/",
                true,
                document,
                read,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    }

    @Test
    void hidesValuesOfEnvInEveryFormOfTheManifest() throws JsonProcessingException {
        JsonNode created = created("""
                {"name": "one", "env": {"ALL": "hush"}, "phases": [{"name": "a", "task": "dev"}],
                 "agents": {"dev": {"command": ["true"], "env": {"KEY": "hush"}}}}""");
        assertThat(created.at("/resolved/env/ALL").asText()).isEqualTo("hush");

        String shown = Redaction.of(created).toString();

        assertThat(shown).doesNotContain("hush").contains("ALL", "KEY", "(hidden)");
        assertThat(created.at("/resolved/env/ALL").asText()).isEqualTo("hush");
    }

    @Test
    void whatAResumeBringsInTheEnvironmentIsHidden() throws JsonProcessingException {
        JsonNode document = Json.MAPPER.readTree("""
                {"name": "one", "env": {"ALL": "hush"}, "phases": [{"name": "a", "task": "dev"}],
                 "agents": {"dev": {"command": ["true"], "env": {"KEY": "hush"}}}}""");
        Manifest read = ((ManifestReading.Valid) ManifestReader.read(document)).manifest();
        ResumeRequest request = ResumeRequest.PLAIN.changedManifest(
                new ChangedManifest(document, read, "/", Optional.empty(), List.of("env.ALL: changed")));
        JsonNode queued = EventJson.write(RunQueued.toResume(ResumeAction.CONTINUE, request, "operator"));
        assertThat(queued.toString()).contains("hush");

        assertThat(Redaction.of(queued).toString()).doesNotContain("hush").contains("env.ALL: changed", "KEY");
    }

    @Test
    void hidesSecretsOfWebhookUrlsInEveryFormOfTheManifest() throws JsonProcessingException {
        JsonNode created = created("""
                {"name": "one", "phases": [{"name": "a", "task": "dev"}], "agents": {"dev": {"command": ["true"]}},
                 "notify": [{"webhook": "https://me:hush@hooks.example:8443/hush?token=hush", "events": ["run.ended"]},
                            {"command": ["notify-send"], "events": ["run.paused"]}]}""");
        assertThat(created.at("/resolved").toString()).contains("hush");

        JsonNode shown = Redaction.of(created);

        assertThat(shown.toString()).doesNotContain("hush");
        assertThat(shown.at("/manifest/notify/0/webhook").asText()).isEqualTo("https://hooks.example:8443/(hidden)");
        assertThat(shown.at("/manifest/notify/1").has("webhook")).isFalse();
    }

    @Test
    void headersOfAWebhookAreHiddenAndNamesOfVariablesAreNot() throws JsonProcessingException {
        JsonNode created = created("""
                {"name": "one", "phases": [{"name": "a", "task": "dev"}], "agents": {"dev": {"command": ["true"]}},
                 "notify": [{"webhook": "env:NTFY_URL", "format": "ntfy",
                             "headers": {"Authorization": "Bearer hush", "X-A": "env:NTFY_TOKEN"}}]}""");
        assertThat(created.at("/resolved/notifications/0/events/0").asText()).isEqualTo("attention");

        String shown = Redaction.of(created).toString();

        assertThat(shown).doesNotContain("hush").contains("env:NTFY_URL", "env:NTFY_TOKEN", "Authorization");
    }
}
