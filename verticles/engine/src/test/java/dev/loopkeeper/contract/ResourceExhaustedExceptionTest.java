package dev.loopkeeper.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceExhaustedExceptionTest {
    @ParameterizedTest
    @ValueSource(strings = {"No space left on device", "Disk quota exceeded"})
    void aFullDiskIsFoundBelowWhatItBrought(String words) {
        Exception found = new UncheckedIOException(new FileSystemException("/ws/.loopkeeper", null, words));

        assertThat(ResourceExhaustedException.in(found).orElseThrow())
                .hasMessage("/ws/.loopkeeper: " + words + "; free disk space for this folder")
                .hasCause(found);
    }

    /** As where the pipe of a launch cannot be made. */
    @Test
    void tooManyOpenFilesAreResourceExhaustion() {
        IOException found = new IOException("pipe: error=24, Too many open files");

        assertThat(ResourceExhaustedException.in(found).orElseThrow())
                .hasMessage(
                        "pipe: error=24, Too many open files; raise the limit of open files (ulimit -n) of Loopkeeper");
    }

    @ParameterizedTest
    @ValueSource(strings = {"error=11, Resource temporarily unavailable", "error=12, Cannot allocate memory"})
    void noFreeProcessIsResourceExhaustion(String words) {
        assertThat(ResourceExhaustedException.in(new IOException(words)).orElseThrow())
                .hasMessageStartingWith(words)
                .hasMessageContaining("ulimit -u");
    }

    /** Java starts a thread for each program that it starts. */
    @Test
    void noFreeThreadIsResourceExhaustion() {
        assertThat(ResourceExhaustedException.in(
                        new OutOfMemoryError("unable to create native thread: possibly out of memory")))
                .hasValueSatisfying(full -> assertThat(full).hasMessageContaining("ulimit -u"));
        assertThat(ResourceExhaustedException.in(new OutOfMemoryError("Java heap space")))
                .isEmpty();
    }

    @Test
    void whatIsKnownStaysAsItIs() {
        ResourceExhaustedException known =
                new ResourceExhaustedException("no room for request.json", new IOException());

        assertThat(ResourceExhaustedException.in(new IllegalStateException(known)))
                .containsSame(known);
    }

    /** An agent or a person may say anything. */
    @Test
    void otherFailuresAreNoResourceExhaustion() {
        assertThat(ResourceExhaustedException.in(new IOException("Input/output error")))
                .isEmpty();
        assertThat(ResourceExhaustedException.in(new IOException((String) null)))
                .isEmpty();
        assertThat(ResourceExhaustedException.in(new IllegalStateException("No space left on device")))
                .isEmpty();
    }
}
