package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.data.FolderRemoval;
import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.process.LauncherChoice;
import dev.loopkeeper.process.SandboxMachine;
import dev.loopkeeper.step.SandboxRungs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks which launcher starts agents, by a trial beside the data folder: some file systems forbid execution. */
final class LauncherCheck {
    private static final String GUARANTEE = "agents are started by a native launcher";

    private LauncherCheck() {}

    private static String sandboxes(LauncherChoice launcher) throws IOException {
        SandboxRungs rungs = SandboxMachine.of(launcher).rungs();
        return rungs.lacking(SandboxSpec.WORKSPACE)
                .or(() -> rungs.withoutBubblewrap().map(why -> rungs.name() + "; " + why))
                .orElse(rungs.name());
    }

    /** @param nearest the data folder or the nearest folder above it that exists */
    static MachineCheck in(Path nearest) {
        try {
            Path folder = Files.createTempDirectory(nearest, ".loopkeeper-doctor");
            try {
                LauncherChoice launcher = LauncherChoice.of(folder.toRealPath());
                return MachineCheck.useful(
                        GUARANTEE, launcher.isNative(), launcher.found() + "; sandboxes: " + sandboxes(launcher));
            } finally {
                FolderRemoval.remove(folder);
            }
        } catch (IOException unwritable) {
            return MachineCheck.useful(
                    GUARANTEE, false, "no temporary folder can be created: " + unwritable.getMessage());
        }
    }
}
