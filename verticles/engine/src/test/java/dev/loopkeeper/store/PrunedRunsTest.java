package dev.loopkeeper.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PrunedRunsTest {
    @Test
    void describesTheEndAsTheRunObjectDoes() {
        RunRow row = StoreSamples.row("old", "completed", StoreSamples.START);
        ((ObjectNode) row.view())
                .put("createdAt", StoreSamples.START.toString())
                .put("endedAt", Instant.parse("2026-11-20T15:20:11Z").toString());

        assertThat(PrunedRuns.of(true, List.of(row), List.of(), Optional.empty())
                        .runs())
                .extracting(PrunedRuns.PrunedRun::endedAt)
                .containsExactly("2026-11-20T15:20:11.000Z");
    }
}
