package dev.loopkeeper.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.run.RunEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttentionTest {
    private static final NotifySpec CHAT = new NotifySpec(
            Optional.of("https://x.example"),
            Optional.empty(),
            List.of(NotifySpec.ATTENTION),
            Optional.empty(),
            Optional.empty(),
            Map.of());

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run.ended  | {"termination": {"subtype": "stop", "success": true, "summary": "done"}, "status": "completed"} | false
            run.ended  | {"termination": {"subtype": "error_operator_stop", "reasonCode": "operator-stop", "success": false, "summary": "x"}, "status": "stopped"} | false
            run.ended  | {"termination": {"subtype": "error_max_turns", "reasonCode": "convergence-limit", "success": false, "summary": "x"}, "status": "stopped"} | true
            run.ended  | {"termination": {"subtype": "error_interrupted", "reasonCode": "signal-interrupted", "success": false, "summary": "x"}, "status": "stopped"} | true
            run.paused | {"reason": "anomaly", "pause": {"reason": "anomaly", "message": "x", "since": "2026-11-20T15:12:33.120Z"}} | true
            notice     | {"code": "cap-reached", "message": "x"} | true
            notice     | {"code": "fire-failed", "message": "x"} | true
            notice     | {"code": "cap-near", "message": "x"}    | false
            notice     | {"code": "recovered", "message": "x"} | false
            run.started | {} | false
            """)
    void whatAPersonMustActOnIsWanted(String type, String data, boolean wanted) throws JsonProcessingException {
        RunEvent event = type.equals("run.started") ? null : EventJson.read(type, Json.MAPPER.readTree(data));

        assertThat(Attention.isWanted(CHAT, type, () -> Optional.of(event))).isEqualTo(wanted);
    }
}
