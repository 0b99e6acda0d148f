package dev.loopkeeper.gateway.access;

import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.submit.AllowedFolders;
import dev.loopkeeper.termination.RefusalCode;
import java.io.IOException;
import java.nio.file.Path;

/** Folders in which workspaces of submitted runs must lie. */
public final class AllowedWorkspaces {
    private final AllowedFolders folders;

    /** Refuses what lies outside of these folders. */
    public AllowedWorkspaces(AllowedFolders folders) {
        this.folders = folders;
    }

    /** Refuses a workspace outside of all folders. Its links must be resolved already. */
    public void check(String workspace) {
        folders.refusal(workspace).ifPresent(why -> {
            throw new Problem(RefusalCode.FORBIDDEN_WORKSPACE, why);
        });
    }

    /** Refuses a policy with a schedule whose workspace is outside of all folders. Blocks. */
    public void check(Policy policy) {
        policy.schedules()
                .forEach(schedule -> schedule.workspace()
                        .flatMap(given -> folders.refusal(real(given)))
                        .ifPresent(why -> {
                            throw new Problem(
                                    RefusalCode.FORBIDDEN_WORKSPACE, "schedule " + schedule.name() + ": " + why);
                        }));
    }

    private static String real(String workspace) {
        try {
            return Path.of(workspace).toRealPath().toString();
        } catch (IOException absent) {
            return Path.of(workspace).normalize().toString();
        }
    }
}
