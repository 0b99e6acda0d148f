package dev.loopkeeper.ownership;

import java.util.List;

/** What an input means for a node: where it stands now, then what is to be done. */
public record LeaseDecision(LeaseState state, List<LeaseCommand> commands) {
    static LeaseDecision of(LeaseState state, LeaseCommand... commands) {
        return new LeaseDecision(state, List.of(commands));
    }
}
