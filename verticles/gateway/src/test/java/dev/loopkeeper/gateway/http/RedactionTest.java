package dev.loopkeeper.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.json.Json;
import org.junit.jupiter.api.Test;

class RedactionTest {
    @Test
    void whatAgentsGetInTheirEnvironmentIsHiddenInEveryFormOfTheManifest() throws JsonProcessingException {
        JsonNode former = Json.MAPPER.readTree("""
                {"runId": "r", "name": "one", "nonce": "n", "workspace": "/", "baseDir": "/", "start": true, "manifest":
                 {"name": "one", "env": {"ALL": "hush"}, "phases": [{"name": "a", "task": "dev"}],
                  "agents": {"dev": {"command": ["true"], "env": {"KEY": "hush"}}}}}""");
        JsonNode created = EventJson.write(EventJson.read("run.created", former));
        assertThat(created.at("/resolved/env/ALL").asText()).isEqualTo("hush");

        String shown = Redaction.of(created).toString();

        assertThat(shown).doesNotContain("hush").contains("ALL", "KEY", "(hidden)");
        assertThat(created.at("/resolved/env/ALL").asText()).isEqualTo("hush");
    }

    @Test
    void whatMayBeSecretInTheAddressOfAWebhookIsHiddenInEveryFormOfTheManifest() throws JsonProcessingException {
        JsonNode former = Json.MAPPER.readTree("""
                {"runId": "r", "name": "one", "nonce": "n", "workspace": "/", "baseDir": "/", "start": true, "manifest":
                 {"name": "one", "phases": [{"name": "a", "task": "dev"}], "agents": {"dev": {"command": ["true"]}},
                  "notify": [{"webhook": "https://me:hush@hooks.example:8443/hush?token=hush", "events": ["run.ended"]},
                             {"command": ["notify-send"], "events": ["run.paused"]}]}}""");
        JsonNode created = EventJson.write(EventJson.read("run.created", former));
        assertThat(created.at("/resolved").toString()).contains("hush");

        JsonNode shown = Redaction.of(created);

        assertThat(shown.toString()).doesNotContain("hush");
        assertThat(shown.at("/manifest/notify/0/webhook").asText()).isEqualTo("https://hooks.example:8443/(hidden)");
        assertThat(shown.at("/manifest/notify/1").has("webhook")).isFalse();
    }
}
