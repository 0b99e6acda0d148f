package dev.loopkeeper.ownership;

import java.util.List;

/** The result of an input: the node's new state, and the commands to execute. */
public record LeaseDecision(LeaseState state, List<LeaseCommand> commands) {
    static LeaseDecision of(LeaseState state, LeaseCommand... commands) {
        return new LeaseDecision(state, List.of(commands));
    }
}
