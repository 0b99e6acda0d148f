package dev.loopkeeper.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.step.TraceContext;
import io.opentelemetry.api.trace.SpanContext;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpansTest {
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void theCallerOfAnExecutionKeepsItsTraceState() {
        SpanContext caller = Spans.contextOf(new TraceContext(PARENT, Optional.of("vendor=1,other=2")));

        assertThat(caller.getTraceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(caller.getSpanId()).isEqualTo("00f067aa0ba902b7");
        assertThat(caller.isSampled()).isTrue();
        assertThat(caller.isRemote()).isTrue();
        assertThat(caller.getTraceState().asMap()).containsEntry("vendor", "1").containsEntry("other", "2");
    }

    @Test
    void aBrokenTraceStateIsLeftOut() {
        SpanContext caller = Spans.contextOf(new TraceContext(PARENT, Optional.of("no pair")));

        assertThat(caller.isValid()).isTrue();
        assertThat(caller.getTraceState().isEmpty()).isTrue();
    }
}
