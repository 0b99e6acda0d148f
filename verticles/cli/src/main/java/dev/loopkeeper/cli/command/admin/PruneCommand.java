package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.cli.command.FactsCommand;
import dev.loopkeeper.cli.print.Table;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.LocalGit;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.StoreFacts;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.request.PruneRequest;
import dev.loopkeeper.retention.Retention;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.store.PrunedRuns;
import dev.loopkeeper.store.StoreChannels.PruneRuns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper prune}. */
@Command(
        name = "prune",
        description =
                "List ended runs that are old enough to be removed; --yes removes them. Open runs are never removed.")
public final class PruneCommand extends FactsCommand {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Option(
            names = "--older-than",
            paramLabel = "AGE",
            description = "Minimum age, counted from a run's last event, e.g. " + PruneRequest.AGES
                    + "; default 30d, or any age with --keep.")
    private String olderThan;

    @Option(
            names = "--keep",
            paramLabel = "N",
            description = "Keep the N newest ended runs, by time of creation; default 0.")
    private Integer keep;

    @Option(names = "--yes", fallbackValue = "true", description = "Remove them.")
    private boolean yes;

    @Option(
            names = "--force",
            fallbackValue = "true",
            description = "Also remove runs whose worktrees hold work that exists nowhere else.")
    private boolean force;

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            PrunedRuns pruned = page(session, Optional.empty());
            while (pruned.nextCursor().isPresent()) {
                pruned = pruned.followedBy(page(session, pruned.nextCursor()));
            }
            print(new Document<>(ViewJson.write(pruned), PrunedRuns.class), this::print);
            return yes && !pruned.keptBack().stream().allMatch(PrunedRuns.KeptBack::forcible)
                    ? ExitCodes.REFUSED
                    : ExitCodes.DONE;
        }
    }

    private PrunedRuns page(Session session, Optional<String> cursor) {
        JsonNode body = body(cursor);
        PruneRequest request = PruneRequest.of(StrictObject.of(body, "the request", PruneRequest.NAMES));
        return session.byServer(
                Session.FOR_OWNER,
                api -> api.postPatiently("/runs/prune", body, PATIENCE, PrunedRuns.class)
                        .view(),
                () -> prune(session, request.question(Instant.now())));
    }

    private JsonNode body(Optional<String> cursor) {
        if (keep != null && keep < 0) {
            throw CommandFailure.refused("--keep must be 0 or more, was " + keep);
        }
        if (olderThan != null && PruneRequest.age(olderThan).isEmpty()) {
            throw CommandFailure.refused("--older-than must be an age such as " + PruneRequest.AGES + ", was '"
                    + Words.shown(olderThan) + "'");
        }
        return Json.MAPPER
                .createObjectNode()
                .put("dryRun", !yes)
                .put("force", force)
                .put("olderThan", olderThan)
                .put("keep", keep)
                .put("cursor", cursor.orElse(null));
    }

    private PrunedRuns prune(Session session, PruneRuns question) {
        Path folder = root.dataFolder().path();
        if (!Files.exists(folder.resolve("events.db"))) {
            return PrunedRuns.none(question.dryRun());
        }
        LocalGit.serve(session.vertx(), folder);
        if (question.dryRun()) {
            try (StoreFacts facts = new StoreFacts(session.vertx(), root)) {
                return facts.prunable(question);
            }
        }
        return ExclusiveFolder.own(
                session, root, store -> new Retention(session.vertx(), store, folder, gone -> {}).prune(question));
    }

    private void print(PrunedRuns pruned) {
        if (!pruned.runs().isEmpty()) {
            printRemoved(pruned);
        } else if (pruned.keptBack().isEmpty()) {
            root.console().err().println("no run ended long enough ago to be removed");
        }
        pruned.keptBack().forEach(this::printKeptBack);
        if (pruned.keptBack().stream().anyMatch(PrunedRuns.KeptBack::forcible)) {
            print("save the work that you need; then remove these runs with: " + root.hint(forced()));
        }
    }

    private String forced() {
        return "prune" + (olderThan == null ? "" : " --older-than " + olderThan)
                + (keep == null ? "" : " --keep " + keep) + " --force --yes";
    }

    private void printKeptBack(PrunedRuns.KeptBack run) {
        print("run " + run.runId() + " is kept because "
                + (run.forcible()
                        ? "its worktree holds work that exists nowhere else:"
                        : "its files cannot be removed:"));
        run.reasons().forEach(reason -> print("  " + Words.shown(reason)));
    }

    private void printRemoved(PrunedRuns pruned) {
        Table table = new Table("RUN", "STATUS", "ENDED");
        pruned.runs().forEach(run -> table.add(run.runId(), run.status(), run.endedAt()));
        table.lines().forEach(this::print);
        String count = Amounts.count(pruned.runs().size(), "run");
        if (yes) {
            print("removed " + count);
        } else {
            root.console().err().println("nothing was removed; remove " + count + " with --yes");
        }
    }
}
