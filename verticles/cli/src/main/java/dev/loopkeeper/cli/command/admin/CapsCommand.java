package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.command.FactsCommand;
import dev.loopkeeper.cli.print.Table;
import dev.loopkeeper.cli.print.Times;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.view.Caps;
import picocli.CommandLine.Command;

/** The command {@code loopkeeper caps}. */
@Command(name = "caps", description = "List the caps of the policy with what their runs have used in this window.")
public final class CapsCommand extends FactsCommand {
    @Override
    public Integer call() {
        return withFacts(facts -> print(facts.caps(), this::print));
    }

    private void print(Caps found) {
        if (found.caps().isEmpty()) {
            print("the policy has no caps; see loopkeeper apply --help");
            return;
        }
        Times times = Times.here();
        Table table = new Table("CAP", "USED", "UNKNOWN", "WAITING", "NEXT WINDOW");
        found.caps()
                .forEach(cap -> table.add(
                        cap.name(),
                        cap.text(),
                        cap.unknownSteps() == 0 ? "-" : Amounts.count(cap.unknownSteps(), "step"),
                        cap.waitingRuns() == 0 ? "-" : Amounts.count(cap.waitingRuns(), "run"),
                        times.moments(cap.windowEnd())));
        table.lines().forEach(this::print);
    }
}
