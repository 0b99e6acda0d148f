package dev.loopkeeper.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CheckpointJsonTest {
    @Test
    void onlyAWholeCheckpointOfAKnownVersionMayBeReplaced() {
        assertThat(CheckpointJson.replaceable("{\"formatVersion\":1,\"runId\":\"r\"}"))
                .isTrue();
        assertThat(CheckpointJson.replaceable("{}")).isTrue();
        assertThat(CheckpointJson.replaceable("{\"formatVersion\":2}")).isFalse();
        assertThat(CheckpointJson.replaceable("{\"formatVersion\":1,\"run")).isFalse();
        assertThat(CheckpointJson.replaceable("\0\0\0")).isFalse();
        assertThat(CheckpointJson.replaceable("")).isFalse();
    }
}
