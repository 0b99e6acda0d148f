package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.data.FolderRemoval;
import dev.loopkeeper.process.Containing;
import dev.loopkeeper.process.trial.ContainmentTrial;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks which containment works on this machine, by killing a process tree that resists in a temporary folder. */
record ContainmentChecks(Vertx vertx) {
    List<MachineCheck> all() {
        List<MachineCheck> checks = new ArrayList<>();
        for (Containing kind : Containing.values()) {
            checks.add(check(kind).orElse(remedy(kind)));
        }
        return checks;
    }

    private MachineCheck check(Containing kind) {
        boolean needed = kind == Containing.SESSION;
        try {
            Path folder = Files.createTempDirectory("loopkeeper-doctor");
            try {
                ContainmentTrial.Verdict verdict =
                        Session.await(ContainmentTrial.run(vertx, folder.toRealPath(), kind));
                return new MachineCheck(guarantee(kind), needed, verdict.holds(), verdict.found());
            } finally {
                FolderRemoval.remove(folder);
            }
        } catch (IOException unwritable) {
            String found = "no temporary folder can be created: " + unwritable.getMessage();
            return new MachineCheck(guarantee(kind), needed, false, found);
        }
    }

    private static String remedy(Containing kind) {
        return switch (kind) {
            case SESSION -> "run no agents here until the cause above is fixed";
            case CGROUP ->
                "start Loopkeeper where its user owns its control group, e.g. as a systemd service with Delegate=yes";
            case NAMESPACE -> "allow user namespaces for this user, e.g. sysctl user.max_user_namespaces=10000";
        };
    }

    private static String guarantee(Containing kind) {
        return switch (kind) {
            case SESSION -> "a stop ends the whole process tree";
            case CGROUP -> "also processes that clear their environment, by a control group";
            case NAMESPACE -> "containment: namespace can be used";
        };
    }
}
