package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.process.LauncherChoice;
import dev.loopkeeper.step.SandboxPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks which launcher starts agents, by a trial beside the data folder: some file systems forbid execution. */
final class LauncherCheck {
    private static final String GUARANTEE = "agents are started by a native launcher";

    private LauncherCheck() {}

    private static String level(LauncherChoice launcher) throws IOException {
        int abi = launcher.landlock();
        return abi < SandboxPlan.WRITE_ABI ? "none, Landlock ABI 3 is required" : "landlock abi " + abi;
    }

    /** @param nearest the data folder or the nearest folder above it that exists */
    static MachineCheck in(Path nearest) {
        try {
            Path folder = Files.createTempDirectory(nearest, ".loopkeeper-doctor");
            try {
                LauncherChoice launcher = LauncherChoice.of(folder.toRealPath());
                return MachineCheck.useful(
                        GUARANTEE, launcher.isNative(), launcher.found() + "; sandboxes: " + level(launcher));
            } finally {
                ContainmentChecks.remove(folder);
            }
        } catch (IOException unwritable) {
            return MachineCheck.useful(
                    GUARANTEE, false, "no temporary folder can be created: " + unwritable.getMessage());
        }
    }
}
