package dev.loopkeeper.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.TemplateNames;
import dev.loopkeeper.store.StoredEvent;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MessageTest {
    @Test
    void theNamesThatAManifestMayUseAreThoseThatAreFilledIn() {
        StoredEvent event = new StoredEvent("r", 1, Instant.EPOCH, "notice", 1, Json.MAPPER.createObjectNode());

        assertThat(Message.of(event, "x").values().keySet()).isEqualTo(TemplateNames.NOTIFICATION);
    }
}
