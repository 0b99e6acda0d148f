package dev.loopkeeper.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FullDiskExceptionTest {
    @ParameterizedTest
    @ValueSource(strings = {"No space left on device", "Disk quota exceeded"})
    void aFullDiskIsFoundBelowWhatItBrought(String words) {
        Exception found = new UncheckedIOException(new FileSystemException("/ws/.loopkeeper", null, words));

        assertThat(FullDiskException.in(found).orElseThrow())
                .hasMessage("/ws/.loopkeeper: " + words + "; make room on that disk")
                .hasCause(found);
    }

    @Test
    void whatIsKnownStaysAsItIs() {
        FullDiskException known = new FullDiskException("no room for request.json", new IOException());

        assertThat(FullDiskException.in(new IllegalStateException(known))).containsSame(known);
    }

    /** An agent or a person may say anything. */
    @Test
    void otherTroubleIsNone() {
        assertThat(FullDiskException.in(new IOException("Input/output error"))).isEmpty();
        assertThat(FullDiskException.in(new IOException((String) null))).isEmpty();
        assertThat(FullDiskException.in(new IllegalStateException("No space left on device")))
                .isEmpty();
    }
}
