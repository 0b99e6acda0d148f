package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FolderObstacleTest {
    /** What can be visited and written to by its owner, and yet is not written to, is kept by something else. */
    @ParameterizedTest
    @CsvSource({
        "false, ---------, true",
        "false, -w-------, true",
        "false, rwxr-xr-x, true",
        "true,  r-xr-xr-x, true",
        "true,  rwxr-xr-x, false",
    })
    void namesPermissionsOnlyIfTheyPreventAccess(boolean visited, String rights, boolean taken) {
        assertThat(FolderObstacle.isTaken(visited, PosixFilePermissions.fromString(rights)))
                .isEqualTo(taken);
    }
}
