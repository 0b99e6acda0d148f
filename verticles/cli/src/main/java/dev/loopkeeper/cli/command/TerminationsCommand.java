package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Table;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.termination.ResumeNeed;
import dev.loopkeeper.termination.StandardReason;
import picocli.CommandLine.Command;

/** The command {@code loopkeeper terminations}. */
@Command(name = "terminations", description = "List all ways in which a run can end, and what a resume then needs.")
public final class TerminationsCommand extends FactsCommand {
    @Override
    public Integer call() {
        if (json.wanted()) {
            print(JsonOption.pretty(document()));
        } else {
            Table table = new Table("ENDING", "SUBTYPE", "REASON CODE", "CATEGORY", "STATUS", "EXIT", "A RESUME NEEDS");
            for (StandardReason reason : StandardReason.values()) {
                table.add(
                        reason.words(),
                        reason.subtype(),
                        reason.reasonCode().orElse("-"),
                        reason.category().wire(),
                        RunStatus.after(reason.category()).wire(),
                        Integer.toString(ExitCodes.of(reason.subtype(), reason.category())),
                        words(reason.resumeNeed()));
            }
            table.lines().forEach(this::print);
        }
        return ExitCodes.DONE;
    }

    private static String words(ResumeNeed need) {
        return switch (need) {
            case NEVER -> "-";
            case NONE -> "nothing";
            default -> need.wire();
        };
    }

    private static ObjectNode document() {
        ObjectNode document = Json.MAPPER.createObjectNode();
        ArrayNode terminations = document.putArray("terminations");
        for (StandardReason reason : StandardReason.values()) {
            terminations
                    .addObject()
                    .put("subtype", reason.subtype())
                    .put("reasonCode", reason.reasonCode().orElse(null))
                    .put("category", reason.category().wire())
                    .put("status", RunStatus.after(reason.category()).wire())
                    .put("exitCode", ExitCodes.of(reason.subtype(), reason.category()))
                    .put("resumeNeeds", reason.resumeNeed().wire());
        }
        return document;
    }
}
