package dev.loopkeeper.notify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.TemplateNames;
import dev.loopkeeper.store.StoredEvent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageTest {
    @Test
    void theNamesThatAManifestMayUseAreThoseThatAreFilledIn() {
        StoredEvent event = new StoredEvent("r", 1, Instant.EPOCH, "notice", 1, Json.MAPPER.createObjectNode());

        assertThat(Message.of(event, "x", Optional.empty()).values().keySet()).isEqualTo(TemplateNames.NOTIFICATION);
    }

    @Test
    void aLinkLeadsToTheRunWherePeopleReachIt() {
        StoredEvent event = new StoredEvent("run-1", 1, Instant.EPOCH, "notice", 1, Json.MAPPER.createObjectNode());
        NotifierOptions options = NotifierOptions.of(Path.of("/data"));

        for (String base : List.of("https://loops.example/keeper", "https://loops.example/keeper/")) {
            Message message =
                    Message.of(event, "x", options.linking(Optional.of(base)).page("run-1"));
            assertThat(message.body().path("url").asText()).isEqualTo("https://loops.example/keeper/#/runs/run-1");
            assertThat(message.values()).containsEntry("url", "https://loops.example/keeper/#/runs/run-1");
        }
        Message without = Message.of(event, "x", options.page("run-1"));
        assertThat(without.body().has("url")).isFalse();
        assertThat(without.values()).containsEntry("url", "");
    }

    @Test
    void nothingOfTheManifestThatAResumeBringsIsSent() throws JsonProcessingException {
        JsonNode resumed = Json.MAPPER.readTree("""
                {"action": "continue", "by": "operator", "request": {"feedback": "go on", "changedManifest": {
                  "manifest": {"env": {"KEY": "hush"}, "vars": {"token": "hush"},
                    "agents": {"dev": {"command": "x --key hush", "env": {"KEY": "hush"}}},
                    "notify": [{"webhook": "https://user:hush@hooks.example/hush", "events": ["run.ended"]}]},
                  "resolved": {"notifications": [{"webhook": "https://hooks.example/hush"}]}}}}
                """);
        StoredEvent event = new StoredEvent("run-1", 9, Instant.EPOCH, "run.resumed", 2, resumed);

        Message message = Message.of(event, "x", Optional.empty());

        assertThat(message.body().toString()).contains("go on").doesNotContain("hush");
        assertThat(message.values().toString()).doesNotContain("hush");
    }

    @Test
    void theNonceOfAStepIsNotSent() throws JsonProcessingException {
        JsonNode started = Json.MAPPER.readTree("{\"stepId\": \"build.1.dev.1\", \"nonce\": \"hush-1\"}");
        StoredEvent event = new StoredEvent("run-1", 3, Instant.EPOCH, "step.started", 1, started);

        assertThat(Message.of(event, "x", Optional.empty()).body().toString())
                .contains("build.1.dev.1")
                .doesNotContain("hush");
    }
}
