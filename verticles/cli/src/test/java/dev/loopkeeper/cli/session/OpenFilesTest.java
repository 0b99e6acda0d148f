package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Too few files that may be open at once are reported as that, and not as a file that is missing. */
class OpenFilesTest {
    @TempDir
    Path folder;

    private OpenFiles limit(String limit, int open) throws IOException {
        Files.writeString(
                folder.resolve("limits"),
                "Limit                     Soft Limit           Hard Limit           Units     \n"
                        + "Max processes             64                   64                   processes \n"
                        + "Max open files            " + limit + "                 4096                 files     \n");
        Path descriptors = Files.createDirectory(folder.resolve("fd"));
        for (int number = 0; number < open; number++) {
            Files.createFile(descriptors.resolve(Integer.toString(number)));
        }
        return new OpenFiles(folder);
    }

    @ParameterizedTest
    @CsvSource({"20, 10", "41, 10", "1024, 1000"})
    void tooFewAreRefusedWithTheLimitAndTheRemedy(String limit, int open) throws IOException {
        OpenFiles files = limit(limit, open);

        assertThatThrownBy(files::check)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("may have " + limit + " files open at once, and has " + open)
                .hasMessageContaining("ulimit -n")
                .extracting(refused -> ((CommandFailure) refused).exitCode())
                .isEqualTo(ExitCodes.REFUSED);
    }

    @ParameterizedTest
    @CsvSource({"42, 10", "1024, 10", "unlimited, 10"})
    void enoughAreNot(String limit, int open) throws IOException {
        assertThatCode(limit(limit, open)::check).doesNotThrowAnyException();
    }

    /** It ended below the stack trace of a class that could not be loaded. */
    @ParameterizedTest
    @CsvSource({"13, 15", "21, 10"})
    void aCommandThatExecutesNothingIsRefusedToo(String limit, int open) throws IOException {
        OpenFiles files = limit(limit, open);

        assertThatThrownBy(files::checkForCommand)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("may have " + limit + " files open at once, and has " + open)
                .hasMessageContaining("ulimit -n");
    }

    @Test
    void aCommandNeedsFewerThanARun() throws IOException {
        assertThatCode(limit("24", 10)::checkForCommand).doesNotThrowAnyException();
    }

    @Test
    void triesALimitThatTheSystemDoesNotReport() {
        assertThatCode(new OpenFiles(folder)::check).doesNotThrowAnyException();
    }
}
