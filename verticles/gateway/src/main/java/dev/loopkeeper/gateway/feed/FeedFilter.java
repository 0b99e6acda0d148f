package dev.loopkeeper.gateway.feed;

import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunId;
import java.util.Optional;
import java.util.Set;

/**
 * The events that a client receives.
 *
 * @param runs empty: all
 * @param types empty: all
 * @param since cursor after which to replay; absent: only events after the snapshot
 */
public record FeedFilter(Set<String> runs, Set<String> types, Optional<Long> since) {
    private static final int MOST_RUNS = 500;

    /**
     * Reads {@code ?runs=a,b&types=x,y&since=CURSOR}. A non-empty {@code lastEventId} of a reconnecting client takes
     * precedence over {@code since}.
     */
    public static FeedFilter of(Query query, Optional<String> lastEventId) {
        Set<String> runs = query.list("runs");
        runs.stream().filter(id -> !RunId.isValid(id)).findFirst().ifPresent(id -> {
            throw Problem.invalidAt("runs", "has an invalid run id: '" + id + "'");
        });
        if (runs.size() > MOST_RUNS) {
            throw Problem.invalidAt("runs", "names more than " + MOST_RUNS + " runs; omit it for all runs");
        }
        Optional<String> cursor = lastEventId.filter(id -> !id.isEmpty()).or(() -> query.text("since"));
        return new FeedFilter(
                Set.copyOf(runs),
                Set.copyOf(query.choices("types", EventTypes.all())),
                cursor.map(FeedFilter::position));
    }

    private static long position(String cursor) {
        return Query.number(cursor)
                .orElseThrow(
                        () -> Problem.invalidAt("since", "must be the cursor of a snapshot or an event of this feed"));
    }

    boolean matches(EncodedEvent event) {
        return (runs.isEmpty() || runs.contains(event.runId())) && (types.isEmpty() || types.contains(event.type()));
    }
}
