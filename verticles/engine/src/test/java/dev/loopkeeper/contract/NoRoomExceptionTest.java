package dev.loopkeeper.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoRoomExceptionTest {
    @ParameterizedTest
    @ValueSource(strings = {"No space left on device", "Disk quota exceeded"})
    void aFullDiskIsFoundBelowWhatItBrought(String words) {
        Exception found = new UncheckedIOException(new FileSystemException("/ws/.loopkeeper", null, words));

        assertThat(NoRoomException.in(found).orElseThrow())
                .hasMessage("/ws/.loopkeeper: " + words + "; make room on that disk")
                .hasCause(found);
    }

    /** As where the pipe of a launch cannot be made. */
    @Test
    void tooManyOpenFilesAreWantOfRoomToo() {
        IOException found = new IOException("pipe: error=24, Too many open files");

        assertThat(NoRoomException.in(found).orElseThrow())
                .hasMessage(
                        "pipe: error=24, Too many open files; raise the limit of open files (ulimit -n) of Loopkeeper");
    }

    @ParameterizedTest
    @ValueSource(strings = {"error=11, Resource temporarily unavailable", "error=12, Cannot allocate memory"})
    void aMachineWithoutAProcessToGiveIsWantOfRoomToo(String words) {
        assertThat(NoRoomException.in(new IOException(words)).orElseThrow())
                .hasMessageStartingWith(words)
                .hasMessageContaining("ulimit -u");
    }

    /** Java starts a thread for each program that it starts. */
    @Test
    void aMachineWithoutAThreadToGiveIsWantOfRoomToo() {
        assertThat(NoRoomException.in(new OutOfMemoryError("unable to create native thread: possibly out of memory")))
                .hasValueSatisfying(full -> assertThat(full).hasMessageContaining("ulimit -u"));
        assertThat(NoRoomException.in(new OutOfMemoryError("Java heap space"))).isEmpty();
    }

    @Test
    void whatIsKnownStaysAsItIs() {
        NoRoomException known = new NoRoomException("no room for request.json", new IOException());

        assertThat(NoRoomException.in(new IllegalStateException(known))).containsSame(known);
    }

    /** An agent or a person may say anything. */
    @Test
    void otherTroubleIsNone() {
        assertThat(NoRoomException.in(new IOException("Input/output error"))).isEmpty();
        assertThat(NoRoomException.in(new IOException((String) null))).isEmpty();
        assertThat(NoRoomException.in(new IllegalStateException("No space left on device")))
                .isEmpty();
    }
}
