package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Table;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.policy.Cron;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.Fire.Outcome;
import dev.loopkeeper.view.ScheduleStatus;
import dev.loopkeeper.view.ScheduleStatus.Schedules;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper schedules}. */
@Command(
        name = "schedules",
        description =
                "List the schedules of the policy with their newest fire; show one, fire one now, or print when a cron"
                        + " expression fires next.")
public final class SchedulesCommand extends FactsCommand {
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");
    private static final int MOST_TIMES = 1000;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ssxxx");

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            description = "show, run or next; without it, list all.")
    private Action action;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "The name of a schedule; for next, a cron expression.")
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

    @Option(names = "--var", paramLabel = "NAME=VALUE", description = "Set a variable of the run that begins, for run.")
    private Map<String, String> vars = new LinkedHashMap<>();

    /** The words of the command line. */
    private enum Action {
        show,
        run,
        next
    }

    @Override
    public Integer call() {
        if (action != null && subject == null) {
            throw CommandFailure.refused(
                    action == Action.next
                            ? "give a cron expression, for example: schedules next '0 2 * * 1-5'"
                            : "name a schedule; " + root.hint("schedules") + " lists them");
        }
        if (!vars.isEmpty() && action != Action.run) {
            throw CommandFailure.refused("--var is for: schedules run NAME");
        }
        return action == Action.next ? next() : ofPolicy();
    }

    private int ofPolicy() {
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            if (action == Action.run) {
                return fire(session.requireServer());
            }
            if (action == Action.show) {
                print(facts.schedule(subject), this::print);
            } else {
                print(facts.schedules(), this::print);
            }
        }
        return ExitCodes.DONE;
    }

    private int fire(Api server) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.set("vars", Json.MAPPER.valueToTree(vars));
        Document<Fire> fired = server.post("/schedules/" + Api.encoded(subject) + "/fire", body, Fire.class);
        print(fired, fire -> print(became(fire)));
        return fired.view().outcome() == Outcome.FAILED ? ExitCodes.REFUSED : ExitCodes.DONE;
    }

    private static String became(Fire fire) {
        return fire.outcome().wire()
                + fire.runId().map(run -> " run " + run).orElse("")
                + fire.message().map(why -> ": " + Words.shown(why)).orElse("");
    }

    private void print(Schedules all) {
        if (all.schedules().isEmpty()) {
            root.console().err().println("no schedules; add one to the policy with: " + root.hint("apply FILE"));
            return;
        }
        Table table = new Table("NAME", "WHEN", "NEXT", "NEWEST FIRE");
        all.schedules()
                .forEach(each -> table.add(
                        each.name(),
                        when(each),
                        each.nextAt().map(at -> time(each, at)).orElse("-"),
                        each.fires().stream()
                                .findFirst()
                                .map(fire -> line(each, fire))
                                .orElse("-")));
        table.lines().forEach(this::print);
    }

    private static String when(ScheduleStatus schedule) {
        String when = Stream.of(schedule.cron(), schedule.hook().map(hook -> "hook"))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        return schedule.enabled() ? when : when + " (not enabled)";
    }

    private static String time(ScheduleStatus schedule, Instant at) {
        return TIME.format(at.atZone(ZoneId.of(schedule.zone())));
    }

    private static String line(ScheduleStatus schedule, Fire fire) {
        return time(schedule, fire.at()) + "  " + became(fire);
    }

    private void print(ScheduleStatus schedule) {
        print(schedule.name() + "  " + when(schedule) + "  " + schedule.zone());
        print("manifest " + Words.shown(schedule.manifest()));
        schedule.next().forEach(at -> print("next  " + time(schedule, at)));
        schedule.fires()
                .forEach(fire -> print(
                        "fire  " + line(schedule, fire) + "  (" + fire.by().wire() + ")"));
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
        print(facts, () -> times.forEach(time -> print(TIME.format(time.atZone(at)))));
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
                .filter(LATEST::isAfter)
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
