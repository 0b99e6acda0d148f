package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FoldersTest {
    @Test
    void aFailureIsASentenceWithoutTheNameOfAClass() {
        assertThat(Folders.reason(new IOException("/w is write-protected"))).isEqualTo("/w is write-protected");
        assertThat(Folders.reason(new AccessDeniedException("/w"))).isEqualTo("access denied: /w");
        assertThat(Folders.reason(new NoSuchFileException("/w"))).isEqualTo("no such file: /w");
        assertThat(Folders.reason(new FileSystemException("/w", null, "No space left on device")))
                .isEqualTo("/w: No space left on device");
        assertThat(Folders.failure(Path.of("/w"), "changed", new AccessDeniedException("/w/a")))
                .hasMessage(
                        "/w cannot be changed: access denied: /w/a; check the owner and the permissions, and the free disk"
                                + " space");
    }
}
