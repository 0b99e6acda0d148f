package dev.loopkeeper.embed;

import dev.loopkeeper.run.RunStatus;
import java.util.Optional;
import java.util.Set;

/** Selects which runs to list, and how many at once. Immutable. */
public final class RunFilter {
    private static final int DEFAULT_LIMIT = 100;
    /** Selects the newest 100 of any status. */
    public static final RunFilter ALL = new RunFilter(Set.of(), DEFAULT_LIMIT, Optional.empty());

    final Set<RunStatus> statuses;
    final int limit;
    final Optional<String> cursor;

    private RunFilter(Set<RunStatus> statuses, int limit, Optional<String> cursor) {
        this.statuses = statuses;
        this.limit = limit;
        this.cursor = cursor;
    }

    /** Selects the newest 100 that have one of these statuses. */
    public static RunFilter of(RunStatus... statuses) {
        return new RunFilter(Set.of(statuses), DEFAULT_LIMIT, Optional.empty());
    }

    /** Sets the page size, 1 to 1000. */
    public RunFilter limit(int most) {
        return new RunFilter(statuses, most, cursor);
    }

    /** Continues after another page: its {@code nextCursor}. */
    public RunFilter after(String nextCursor) {
        return new RunFilter(statuses, limit, Optional.of(nextCursor));
    }
}
