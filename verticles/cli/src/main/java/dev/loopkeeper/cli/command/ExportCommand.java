package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.bundle.BundleManifest;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.StoreFacts;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.Amounts;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper export RUN [FILE]}. */
@Command(
        name = "export",
        description = "Write a paused or ended run into one file: history, receipts and step folders of all nodes.")
public final class ExportCommand extends OneRunCommand {
    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            description = "The file to write; default RUN.loopkeeper.zip in this folder.")
    private Path file;

    @Override
    public Integer call() {
        try (Session session = root.open();
                RunFacts facts = facts(session)) {
            run.find(facts, root);
            Path target = (file == null ? Path.of(run.id() + ".loopkeeper.zip") : file).toAbsolutePath();
            print(facts.export(run.id(), target), target);
        }
        return ExitCodes.DONE;
    }

    /** Reads a data folder that has its own store directly, even while a server serves it. */
    private RunFacts facts(Session session) {
        boolean asked = root.server().isPresent()
                || StoreFacts.isOfNode(root.dataFolder().path());
        return asked ? RunFacts.of(session, root) : new StoreFacts(session.vertx(), root);
    }

    private void print(BundleManifest manifest, Path target) {
        long bytes = manifest.entries().stream()
                .mapToLong(BundleManifest.Entry::bytes)
                .sum();
        if (json.wanted()) {
            ObjectNode facts = Json.MAPPER.createObjectNode().put("runId", manifest.runId());
            facts.put("status", manifest.status()).put("events", manifest.sequence());
            facts.put("entries", manifest.entries().size()).put("bytes", bytes);
            print(JsonOption.pretty(facts.put("file", target.toString())));
            return;
        }
        print(manifest.runId() + " (" + manifest.status() + ", " + Amounts.count(manifest.sequence(), "event") + ", "
                + bytes + " bytes) is in " + target);
    }
}
