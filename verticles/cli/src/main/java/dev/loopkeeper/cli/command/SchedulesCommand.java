package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.EnumNames;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.policy.Cron;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper schedules}. */
@Command(name = "schedules", description = "Print when a cron expression fires next, without a server.")
public final class SchedulesCommand extends FactsCommand {
    private static final int MOST_TIMES = 1000;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ssxxx");

    @Parameters(
            index = "0",
            paramLabel = "ACTION",
            description = "next.",
            converter = Actions.class,
            completionCandidates = Actions.class)
    private Action action;

    @Parameters(index = "1", paramLabel = "CRON", description = "For next, a cron expression.")
    private String subject;

    @Option(names = "--zone", paramLabel = "ZONE", description = "The time zone of next, such as Europe/Berlin.")
    private String zone = "UTC";

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Print the times after this one, e.g. 2026-03-28 or 2026-03-28T02:00:00+01:00; default now.")
    private String from;

    @Option(names = "--count", paramLabel = "N", description = "How many times next prints; default 5.")
    private int count = 5;

    /** What the command does. */
    private enum Action implements WireName {
        NEXT;

        @Override
        public String wire() {
            return "next";
        }
    }

    /** The names of the actions. */
    static final class Actions extends EnumNames<Action> {
        Actions() {
            super(Action.class);
        }
    }

    public SchedulesCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() {
        return switch (action) {
            case NEXT -> next();
        };
    }

    private int next() {
        if (count < 1 || count > MOST_TIMES) {
            throw CommandFailure.refused("--count must be 1 to " + MOST_TIMES + ", was " + count);
        }
        ZoneId at = zone();
        List<Instant> times = times(at);
        ObjectNode facts = Json.MAPPER.createObjectNode().put("cron", subject).put("zone", zone);
        ArrayNode all = facts.putArray("times");
        times.forEach(time -> all.add(time.toString()));
        json.printOr(
                root.console(),
                facts,
                () -> times.forEach(time -> root.console().print(TIME.format(time.atZone(at)))));
        return ExitCodes.DONE;
    }

    private List<Instant> times(ZoneId at) {
        Cron cron;
        try {
            cron = Cron.of(subject);
        } catch (IllegalArgumentException wrong) {
            throw CommandFailure.refused(Words.oneLine(wrong.getMessage()));
        }
        return Stream.iterate(cron.next(begin(at), at), Optional::isPresent, time -> cron.next(time.get(), at))
                .map(Optional::get)
                .limit(count)
                .toList();
    }

    private ZoneId zone() {
        return parsed(() -> ZoneId.of(zone))
                .orElseThrow(() -> CommandFailure.refused("--zone '" + Words.oneLine(zone) + "' is not a time zone"
                        + NearestName.of(zone, ZoneId.getAvailableZoneIds())
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("; write one such as Europe/Berlin or UTC")));
    }

    private Instant begin(ZoneId at) {
        if (from == null) {
            return Instant.now();
        }
        return parsed(() -> OffsetDateTime.parse(from).toInstant())
                .or(() -> parsed(() -> LocalDateTime.parse(from).atZone(at).toInstant()))
                .or(() -> parsed(() -> LocalDate.parse(from).atStartOfDay(at).toInstant()))
                .orElseThrow(() -> CommandFailure.refused("--from '" + Words.oneLine(from)
                        + "' is not a time; write 2026-03-28, 2026-03-28T02:00 or 2026-03-28T02:00:00+01:00"));
    }

    private static <T> Optional<T> parsed(Supplier<T> reader) {
        try {
            return Optional.of(reader.get());
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }
}
