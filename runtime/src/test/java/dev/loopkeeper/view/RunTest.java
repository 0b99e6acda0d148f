package dev.loopkeeper.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.json.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunTest {
    private static Run run(String status, String subtype, boolean resumes) throws JsonProcessingException {
        ObjectNode run = Json.MAPPER
                .createObjectNode()
                .put("runId", "r")
                .put("status", status)
                .put("createdAt", "2026-11-20T15:00:00Z");
        if (status.equals("paused")) {
            ObjectNode pause = run.putObject("pause").put("reason", "anomaly").put("since", "2026-11-20T15:48:00Z");
            pause.putArray("questions");
            pause.putArray("gaps");
            pause.putArray("allowedActions").add("continue");
            if (resumes) {
                pause.put("resumeAt", "2026-11-20T16:48:00Z");
            }
        }
        if (subtype != null) {
            run.putObject("termination").put("subtype", subtype).put("summary", "s");
        }
        return ViewJson.read(run, Run.class);
    }

    @ParameterizedTest
    @CsvSource({
        "paused,,,true",
        "paused,,resumes,false",
        "failed,error_gate_failed,,true",
        "stopped,error_max_turns,,true",
        "stopped,error_crashed,,true",
        "stopped,error_declared_by_a_manifest,,true",
        "stopped,error_operator_stop,,false",
        "stopped,error_interrupted,,false",
        "completed,stop,,false",
        "queued,,,false",
        "running,,,false",
        "waiting,,,false",
        "stopping,,,false"
    })
    void pausesAndEndingsWithoutARequestNeedAttention(String status, String subtype, String resumes, boolean needed)
            throws JsonProcessingException {
        assertThat(run(status, subtype, resumes != null).needsAttention()).isEqualTo(needed);
    }
}
