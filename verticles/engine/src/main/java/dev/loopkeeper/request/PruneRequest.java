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

/** Selects the ended runs to remove: those that are old enough and not among the newest. Immutable. */
public final class PruneRequest {
    /** Lists the runs that ended 30 days ago or earlier, and removes none. */
    public static final PruneRequest DRY =
            new PruneRequest(Optional.empty(), OptionalInt.empty(), Optional.empty(), true, false);

    /** The names of its members. */
    public static final Set<String> NAMES = Set.of("olderThan", "keep", "cursor", "dryRun", "force");
    /** Examples of ages, for messages. */
    public static final String AGES = "30d, 12h or 90m";

    private static final Duration USUAL_AGE = Duration.ofDays(30);
    private static final Pattern DAYS = Pattern.compile("([0-9]{1,5})d");

    private final Optional<Duration> olderThan;
    private final OptionalInt keep;
    private final Optional<String> cursor;
    private final boolean dryRun;
    private final boolean force;

    private PruneRequest(
            Optional<Duration> olderThan, OptionalInt keep, Optional<String> cursor, boolean dryRun, boolean force) {
        this.olderThan = olderThan;
        this.keep = keep;
        this.cursor = cursor;
        this.dryRun = dryRun;
        this.force = force;
    }

    /** Sets the least time since the last event; default 30 days, or none where {@link #keep} is set. */
    public PruneRequest olderThan(Duration age) {
        return new PruneRequest(Optional.of(age), keep, cursor, dryRun, force);
    }

    /** Sets how many of the ended runs that were created last stay. */
    public PruneRequest keep(int newest) {
        return new PruneRequest(olderThan, OptionalInt.of(newest), cursor, dryRun, force);
    }

    /** Continues after another page: its {@code nextCursor}. */
    public PruneRequest after(String nextCursor) {
        return new PruneRequest(olderThan, keep, Optional.of(nextCursor), dryRun, force);
    }

    /** Removes the runs. */
    public PruneRequest removing() {
        return new PruneRequest(olderThan, keep, cursor, false, force);
    }

    /** Includes runs whose worktrees hold work that exists nowhere else. */
    public PruneRequest forced() {
        return new PruneRequest(olderThan, keep, cursor, dryRun, true);
    }

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
