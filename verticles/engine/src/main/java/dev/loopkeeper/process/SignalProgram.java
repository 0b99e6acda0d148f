package dev.loopkeeper.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the program with which agents write their signals, {@code $LOOPKEEPER_SIGNAL}: one file for all steps of a
 * data folder. If the data folder is mounted {@code noexec}, the program is in a temporary folder. Blocking, thread-safe.
 */
public final class SignalProgram {
    private static final Logger LOG = LoggerFactory.getLogger(SignalProgram.class);
    private static final String NAME = "signal";

    private final Path data;
    private final Predicate<Path> executable;
    private ProgramFile usual;
    private Optional<Path> instead = Optional.empty();

    /** @param data the data folder */
    public SignalProgram(Path data) {
        this(data, Files::isExecutable);
    }

    SignalProgram(Path data, Predicate<Path> executable) {
        this.data = data;
        this.executable = executable;
    }

    /** The program, complete and executable by the user of this process. */
    public synchronized Path install() throws IOException {
        if (instead.filter(Files::isRegularFile).isPresent()) {
            return instead.get();
        }
        if (usual == null) {
            usual = program(ProgramFile.folder(data));
        }
        Path program = usual.install();
        if (executable.test(program)) {
            return program;
        }
        instead = Optional.of(elsewhere(program));
        return instead.get();
    }

    /** Installs the program in a temporary folder, which is not removed, because agents outlive a restart. */
    private Path elsewhere(Path program) throws IOException {
        Path temporary = program(Files.createTempDirectory("loopkeeper-")).install();
        if (executable.test(temporary)) {
            LOG.info("{} is on a file system mounted noexec, so agents get {}", data, temporary);
            return temporary;
        }
        LOG.warn(
                "agents cannot execute $LOOPKEEPER_SIGNAL: {} and {} are on file systems without programs; set"
                        + " -Djava.io.tmpdir in LOOPKEEPER_JAVA_OPTS to a folder on another one",
                data,
                temporary.getParent());
        return program;
    }

    private static ProgramFile program(Path folder) throws IOException {
        return ProgramFile.program(folder, NAME, ProgramFile.content("signal.sh"));
    }
}
