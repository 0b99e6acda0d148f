package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.LocalGit;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.ShutdownHook;
import dev.loopkeeper.contract.RunMerged;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.view.GitWork;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper merge RUN}. */
@Command(
        name = "merge",
        description = "Merge the branch of a run into a branch of its repository.",
        footer = {
            "",
            "If the target branch is checked out, the checkout must be clean. A merge with conflicts changes nothing, and"
                    + " the files are named (exit code 1). If git fails halfway, the merge is undone; where that fails too,"
                    + " the exit code is 1, and the message names the command that cleans up. Exit code 2: nothing was tried."
        })
public final class MergeCommand extends OneRunCommand {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @Option(names = "--squash", fallbackValue = "true", description = "Merge as one commit.")
    private boolean squash;

    @Option(
            names = "--into",
            paramLabel = "BRANCH",
            description = "Merge into this branch; default: the branch that is checked out.")
    private String into;

    @Override
    public Integer call() {
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            run.find(facts, root);
            Run found = facts.run(run.id()).view();
            GitWork unused = LocalGit.workOf(found);
            if (!found.status().isEnded()) {
                warn("run " + found.runId() + " has not ended: its later commits are not part of this merge");
            }
            LocalGit git = new LocalGit(session.vertx(), root.dataFolder().path());
            return merge(git, found);
        }
    }

    private int merge(LocalGit git, Run found) {
        String waiting =
                "the merge is completed first, so that it is not left half done; press Ctrl-C again to end now";
        ShutdownHook work = ShutdownHook.delaying(PATIENCE, () -> warn(waiting));
        try {
            RunMerged merged = git.merge(found, squash, Optional.ofNullable(into));
            report(found, merged);
            return merged.conflicts().isEmpty() ? ExitCodes.DONE : ExitCodes.FATAL;
        } catch (CommandFailure failure) {
            // Printed here, since this process may end as soon as the work is closed.
            warn(failure.getMessage());
            return failure.exitCode();
        } finally {
            work.close(() -> {});
        }
    }

    private void report(Run found, RunMerged merged) {
        if (json.wanted()) {
            ObjectNode document = Json.MAPPER.createObjectNode().put("runId", found.runId());
            document.setAll((ObjectNode) Json.MAPPER.valueToTree(merged));
            print(JsonOption.pretty(document));
        } else if (!merged.conflicts().isEmpty()) {
            warn("not merged: " + merged.into() + " is unchanged, because these files conflict: "
                    + String.join(", ", merged.conflicts())
                    + "; to merge by hand, run in the repository: git switch "
                    + Words.quoted(merged.into()) + " && git merge " + (squash ? "--squash " : "")
                    + Words.quoted("refs/heads/" + LocalGit.workOf(found).branch())
                    + ", correct the files, then run: git commit --all");
        } else if (merged.already()) {
            print(merged.into() + " already contains the run's branch");
        } else {
            print("merged into " + merged.into() + ": "
                    + Amounts.count(merged.changes().files(), "file") + ", +"
                    + merged.changes().insertions() + " -"
                    + merged.changes().deletions());
        }
        merged.withoutFiles()
                .forEach(path -> warn(path
                        + " is a link to a commit of another repository: its files are not part of the merge; "
                        + "loopkeeper show " + found.runId() + " names the worktree that holds them"));
    }
}
