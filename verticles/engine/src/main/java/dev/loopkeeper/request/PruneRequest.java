package dev.loopkeeper.request;

import dev.loopkeeper.contract.RunChannels.RunCursor;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.manifest.read.DurationText;
import dev.loopkeeper.store.StoreChannels.PruneRuns;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Selects the ended runs to remove: those that are old enough and not among the newest.
 *
 * @param olderThan since the last event; absent: 30 days, or no age at all where {@code keep} is given
 * @param keep how many of the ended runs that were created last stay; absent: none
 * @param cursor {@code nextCursor} of the answer before; absent for the oldest runs
 * @param dryRun only list the runs
 * @param force also runs whose worktrees hold work that exists nowhere else
 */
public record PruneRequest(
        Optional<Duration> olderThan, OptionalInt keep, Optional<String> cursor, boolean dryRun, boolean force) {
    /** The names of its members. */
    public static final Set<String> NAMES = Set.of("olderThan", "keep", "cursor", "dryRun", "force");
    /** Examples of ages, for messages. */
    public static final String AGES = "30d, 12h or 90m";

    private static final Duration USUAL_AGE = Duration.ofDays(30);
    private static final Pattern DAYS = Pattern.compile("([0-9]{1,5})d");

    /** Reads it strictly. */
    public static PruneRequest of(StrictObject fields) {
        Optional<Duration> age = fields.text("olderThan").map(text -> {
            Optional<Duration> parsed = age(text);
            fields.require(parsed.isPresent(), "olderThan", "must be an age such as " + AGES);
            return parsed.orElseThrow();
        });
        var keep = fields.whole("keep", 0, Integer.MAX_VALUE);
        Optional<String> cursor = fields.text("cursor");
        fields.require(cursor.filter(text -> !RunCursor.isCursor(text)).isEmpty(), "cursor", "must be a nextCursor");
        return new PruneRequest(
                age,
                keep.isPresent() ? OptionalInt.of((int) keep.getAsLong()) : OptionalInt.empty(),
                cursor,
                fields.flag("dryRun", true),
                fields.flag("force", false));
    }

    /** Parses an age, e.g. {@code 30d}; empty if invalid. */
    public static Optional<Duration> age(String text) {
        Matcher days = DAYS.matcher(text);
        return days.matches() ? Optional.of(Duration.ofDays(Long.parseLong(days.group(1)))) : DurationText.parse(text);
    }

    /** The same with the defaults in place, as the store is asked. */
    public PruneRuns question(Instant now) {
        Duration age = olderThan.orElse(keep.isPresent() ? Duration.ZERO : USUAL_AGE);
        return new PruneRuns(now.minus(age), keep.orElse(0), cursor, dryRun, force);
    }
}
