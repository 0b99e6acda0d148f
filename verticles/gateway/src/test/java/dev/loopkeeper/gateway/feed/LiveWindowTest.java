package dev.loopkeeper.gateway.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.gateway.TestRuns;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.store.PositionedEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveWindowTest {
    private static EncodedEvent event(long position) {
        return EncodedEvent.of(new PositionedEvent(position, TestRuns.event("run-1", position, "step.usage")));
    }

    private static LiveWindow window(int events, int characters) {
        LiveWindow window = new LiveWindow(10, events, characters);
        assertThat(window.add(event(11))).isTrue();
        assertThat(window.add(event(14))).isTrue();
        assertThat(window.add(event(15))).isTrue();
        return window;
    }

    @Test
    void whatCameAfterAPlaceIsFoundInOrder() {
        LiveWindow window = window(9, 9999);
        assertThat(window.after(11)).extracting(EncodedEvent::position).containsExactly(14L, 15L);
        assertThat(window.after(12)).extracting(EncodedEvent::position).containsExactly(14L, 15L);
        assertThat(window.after(15)).isEmpty();
        assertThat(window.after(99)).isEmpty();
    }

    @Test
    void dropsRepeatedAndOldEvents() {
        LiveWindow window = window(9, 9999);
        assertThat(window.add(event(15))).isFalse();
        assertThat(window.add(event(12))).isFalse();
        assertThat(window.after(10)).hasSize(3);
        assertThat(new LiveWindow(10, 9, 9999).add(event(10))).isFalse();
    }

    @Test
    void theOldestLeaveAndRaiseTheFloor() {
        LiveWindow few = window(2, 9999);
        assertThat(few.floor()).isEqualTo(11);
        assertThat(few.reaches(11)).isTrue();
        assertThat(few.reaches(10)).isFalse();
        LiveWindow small = window(9, 1);
        assertThat(small.floor()).isEqualTo(14);
        assertThat(small.after(14)).hasSize(1);
    }

    @Test
    void refusesUnusableLimits() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new FeedOptions(0, 1, 1, second, second, 1)).hasMessageContaining("windowEvents");
        assertThatThrownBy(() -> new FeedOptions(1, 1, 1, Duration.ZERO, second, 1))
                .hasMessageContaining("pingEvery");
        assertThatThrownBy(() -> new FeedOptions(1, 1, 1, second, second, 1001)).hasMessageContaining("snapshotRuns");
        GatewayOptions usual = GatewayOptions.loopback(0, Path.of("data"));
        assertThat(usual.host()).isEqualTo("127.0.0.1");
        assertThat(usual.limits().maxBodyBytes()).isEqualTo(4_194_304);
        assertThatThrownBy(() -> GatewayOptions.loopback(65_536, Path.of("data")))
                .hasMessage("port must be 0 to 65535, was 65536");
        assertThatThrownBy(() -> usual.patient(Duration.ZERO)).hasMessageContaining("patience");
        assertThatThrownBy(() -> usual.on(" ", Optional.empty())).hasMessageContaining("host");
    }
}
