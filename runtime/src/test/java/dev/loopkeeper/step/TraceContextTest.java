package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
    private static final String CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
    private static final String FORM = "00-[0-9a-f]{32}-[0-9a-f]{16}-01";

    @Test
    void theSameIdentityBeginsTheSameTrace() {
        TraceContext first = TraceContext.begin("run-1 1");

        assertThat(first.traceparent()).matches(FORM);
        assertThat(TraceContext.begin("run-1 1")).isEqualTo(first);
        assertThat(TraceContext.begin("run-1 2").traceparent().substring(3, 35))
                .isNotEqualTo(first.traceparent().substring(3, 35));
    }

    @Test
    void aChildHasTraceFlagsAndStateOfItsParentAndASpanOfItsOwn() {
        TraceContext caller = TraceContext.of(Map.of("TRACEPARENT", CALLER, "TRACESTATE", "vendor=1"))
                .orElseThrow();

        TraceContext child = caller.child("step");

        assertThat(child.traceparent()).startsWith(CALLER.substring(0, 36)).endsWith("-00");
        assertThat(child.traceparent()).isNotEqualTo(CALLER);
        assertThat(child.tracestate()).contains("vendor=1");
        assertThat(caller.child("other").traceparent()).isNotEqualTo(child.traceparent());
    }

    @Test
    void aLaterVersionIsReadAndPassedOnAsVersion00() {
        String later = "cc" + CALLER.substring(2) + "-what-comes";

        assertThat(TraceContext.read(Optional.of(later), Optional.empty())
                        .orElseThrow()
                        .child("step")
                        .traceparent())
                .startsWith(CALLER.substring(0, 36));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "4bf92f3577b34da6a3ce929d0e0e4736",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                CALLER + "-more"
            })
    void anInvalidCallerIsNoParent(String traceparent) {
        assertThat(TraceContext.read(Optional.of(traceparent), Optional.of("vendor=1")))
                .isEmpty();
    }

    @Test
    void aStateThatIsNoHeaderValueIsDropped() {
        assertThat(TraceContext.read(Optional.of(CALLER), Optional.of("a=1\nLD_PRELOAD=x")))
                .contains(new TraceContext(CALLER, Optional.empty()));
    }
}
