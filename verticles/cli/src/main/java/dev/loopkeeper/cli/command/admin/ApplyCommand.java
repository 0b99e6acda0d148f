package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.command.FactsCommand;
import dev.loopkeeper.cli.command.ManifestOptions;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.PolicyReader;
import dev.loopkeeper.manifest.read.PolicyReading;
import dev.loopkeeper.policy.PolicyChanges;
import dev.loopkeeper.store.AppliedPolicy;
import dev.loopkeeper.submit.TextFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper apply FILE}. */
@Command(
        name = "apply",
        description = "Make the policy that holds across runs equal to a file: its pools, caps, prices and schedules.")
public final class ApplyCommand extends FactsCommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "A YAML or JSON file with the complete policy.")
    private Path file;

    @Option(names = "--dry-run", fallbackValue = "true", description = "Print what would change; change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        PolicyReading.Valid wanted = read();
        try (Session session = root.open()) {
            AppliedPolicy before = current(session);
            PolicyChanges changes = PolicyChanges.between(before.policy(), wanted.policy());
            boolean unchanged = dryRun || changes.isEmpty();
            print(changes, unchanged ? before.version() : put(session, wanted.document()));
        }
        return ExitCodes.DONE;
    }

    private PolicyReading.Valid read() {
        DocumentReading reading = TextFile.readDocument(file);
        if (reading instanceof DocumentReading.Unreadable unreadable) {
            throw refused(List.of(unreadable.problem()));
        }
        DocumentReading.Parsed parsed = (DocumentReading.Parsed) reading;
        PolicyReading policy = PolicyReader.read(parsed.document(), parsed.sources());
        if (policy instanceof PolicyReading.Invalid invalid) {
            throw refused(invalid.problems());
        }
        return (PolicyReading.Valid) policy;
    }

    private CommandFailure refused(List<ManifestProblem> problems) {
        return CommandFailure.refused(ManifestOptions.text(file, problems) + "\nnothing was changed");
    }

    private AppliedPolicy current(Session session) {
        try (RunFacts facts = RunFacts.of(session, root)) {
            return facts.policy();
        }
    }

    private long put(Session session, JsonNode policy) {
        return session.byServer(
                Session.FOR_OWNER,
                api -> api.call("PUT", "/policy", Optional.of(policy))
                        .path("version")
                        .asLong(),
                () -> ExclusiveFolder.own(
                        session,
                        root,
                        store -> store.putPolicy(policy.toString(), OptionalLong.empty())
                                .map(stored -> stored.orElseThrow().version())));
    }

    private void print(PolicyChanges changes, long version) {
        ObjectNode facts = Json.MAPPER.valueToTree(changes);
        facts.remove("empty");
        print(facts.put("dryRun", dryRun).put("version", version), () -> {
            print("added", changes.added());
            print("changed", changes.changed());
            print("removed", changes.removed());
            print(
                    changes.isEmpty()
                            ? "nothing to change; the policy has version " + version
                            : dryRun
                                    ? "nothing was changed; apply it without --dry-run"
                                    : "the policy has version " + version + " now");
        });
    }

    private void print(String what, List<String> parts) {
        parts.forEach(part -> print(what + " " + Words.shown(part)));
    }
}
