package dev.loopkeeper.cli.print;

import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.OpenAsk;
import dev.loopkeeper.view.Owner;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Formats runs as a table. On a terminal it is coloured and fits the width; elsewhere lines are complete. */
public final class RunsTable {
    private static final String GAP = "  ";
    private static final int SHORTEST_ID = 8;
    /** A reason shorter than this says nothing. */
    private static final int LEAST_WHY = 16;
    /** The columns that are left out if the table is too wide, first one first. */
    private static final List<Column> IN_ORDER_OF_LOSS =
            List.of(Column.LAST, Column.COST, Column.AT, Column.NODE, Column.AGE);

    private enum Column {
        RUN,
        STATUS,
        /** Shown only if a run has an owner node. */
        NODE,
        AT,
        LAST,
        COST,
        AGE,
        WHY
    }

    /**
     * One run.
     *
     * @param note replaces the reason of the run if it is more important, e.g. that no process owns the run
     */
    public record Row(Runs.Entry entry, Optional<String> note) {}

    /** The cells of one run, and its status for the colours. */
    private record Line(Map<Column, String> cells, Optional<RunStatus> status) {}

    private final Console console;
    private final Times times;

    public RunsTable(Console console, Times times) {
        this.console = console;
        this.times = times;
    }

    /** Returns the headings and the runs, in the given order. */
    public List<String> lines(List<Row> rows) {
        List<Line> lines = new ArrayList<>();
        lines.add(heading());
        rows.forEach(row -> lines.add(line(row)));
        List<Column> columns = new ArrayList<>(List.of(Column.values()));
        if (rows.stream().allMatch(row -> owner(row).isEmpty())) {
            columns.remove(Column.NODE);
        }
        console.screen().ifPresent(screen -> fit(lines, columns, screen.size().columns()));
        Map<Column, Integer> widths = new EnumMap<>(Column.class);
        columns.forEach(column -> widths.put(column, width(lines, column)));
        widths.put(columns.get(columns.size() - 1), 0);
        return lines.stream().map(line -> text(line, widths)).toList();
    }

    /**
     * Sorts rows for a list: runs with an open ask, paused runs that need attention, other runs that need attention, open runs, the others. An
     * older ask or pause comes first; otherwise the order stays.
     */
    public static List<Row> ordered(List<Row> rows) {
        return rows.stream()
                .sorted(Comparator.comparingInt(RunsTable::group).thenComparing(RunsTable::waitingSince))
                .toList();
    }

    private static int group(Row row) {
        Optional<Run> run = row.entry().run();
        if (run.filter(known -> !known.asks().isEmpty()).isPresent()) {
            return 0;
        }
        if (run.filter(Run::needsAttention).isPresent()) {
            return run.get().pause().isPresent() ? 1 : 2;
        }
        return run.filter(known -> known.status().isOpen()).isPresent() ? 3 : 4;
    }

    /** Returns the time of the ask or the pause that puts a row into its group; of other rows the same for all. */
    private static Instant waitingSince(Row row) {
        Optional<Run> run = row.entry().run();
        return run.flatMap(known -> known.asks().stream().findFirst())
                .map(OpenAsk::since)
                .or(() -> run.filter(known -> group(row) == 1).map(RunWords::since))
                .orElse(Instant.EPOCH);
    }

    private static Optional<Owner> owner(Row row) {
        return row.entry().run().flatMap(Run::owner);
    }

    private static Line heading() {
        Map<Column, String> cells = new EnumMap<>(Column.class);
        for (Column column : Column.values()) {
            cells.put(column, column.name());
        }
        return new Line(cells, Optional.empty());
    }

    private Line line(Row row) {
        Map<Column, String> cells = new EnumMap<>(Column.class);
        Optional<Run> known = row.entry().run();
        for (Column column : Column.values()) {
            cells.put(column, known.map(run -> cell(column, run)).orElse("-"));
        }
        cells.put(Column.RUN, row.entry().runId());
        if (known.isEmpty()) {
            cells.put(Column.STATUS, "damaged");
            cells.put(Column.WHY, row.entry().damage().map(Words::shown).orElse(""));
        }
        row.note().ifPresent(note -> cells.put(Column.WHY, note));
        return new Line(cells, known.map(Run::status));
    }

    private String cell(Column column, Run run) {
        return switch (column) {
            case RUN -> run.runId();
            case STATUS ->
                (console.screen().isPresent() ? RunWords.sign(run.status()) + " " : "")
                        + run.status().wire();
            case NODE -> run.owner().map(owner -> Words.oneLine(owner.node())).orElse("-");
            case AT -> RunWords.position(run);
            case LAST -> RunWords.last(run);
            case COST -> RunWords.cost(run);
            case AGE -> RunWords.age(run, times);
            case WHY -> RunWords.why(run, times);
        };
    }

    /** Shortens run ids as long as they stay unique, then removes columns, then cuts reasons. */
    private static void fit(List<Line> lines, List<Column> columns, int width) {
        if (leftForWhy(lines, columns, width) < LEAST_WHY) {
            shorten(lines.subList(1, lines.size()));
        }
        for (Column column : IN_ORDER_OF_LOSS) {
            if (leftForWhy(lines, columns, width) < LEAST_WHY) {
                columns.remove(column);
            }
        }
        int left = Math.max(0, leftForWhy(lines, columns, width));
        cut(lines, Column.WHY, left);
        if (left == 0) {
            columns.remove(Column.WHY);
        }
        cut(lines, Column.RUN, Math.max(1, width - width(lines, columns) + width(lines, Column.RUN)));
    }

    private static void cut(List<Line> lines, Column column, int most) {
        lines.forEach(line -> line.cells().compute(column, (key, text) -> Columns.cut(text, most)));
    }

    /** Returns the columns that are left for reasons, never more than the longest reason needs. */
    private static int leftForWhy(List<Line> lines, List<Column> columns, int width) {
        int needed = width(lines, Column.WHY);
        int left = width - width(lines, columns) + needed;
        return left >= needed ? Math.max(needed, LEAST_WHY) : left;
    }

    private static int width(List<Line> lines, Column column) {
        return lines.stream()
                .mapToInt(line -> Columns.of(line.cells().get(column)))
                .max()
                .orElse(0);
    }

    private static int width(List<Line> lines, List<Column> columns) {
        return columns.stream().mapToInt(column -> width(lines, column)).sum() + GAP.length() * (columns.size() - 1);
    }

    private static void shorten(List<Line> lines) {
        NavigableSet<String> ids = new TreeSet<>();
        lines.forEach(line -> ids.add(line.cells().get(Column.RUN)));
        lines.forEach(line -> line.cells().compute(Column.RUN, (run, id) -> beginning(id, ids)));
    }

    private static String beginning(String id, NavigableSet<String> ids) {
        int shared = Math.max(sharedPrefix(id, ids.lower(id)), sharedPrefix(id, ids.higher(id)));
        int length = Math.max(SHORTEST_ID, shared + 1);
        // An ellipsis in place of one character would save nothing.
        return length + 1 < id.length() ? id.substring(0, length) + "…" : id;
    }

    /** Returns how many leading characters two ids share. */
    private static int sharedPrefix(String id, String neighbour) {
        int first = neighbour == null ? 0 : Arrays.mismatch(id.toCharArray(), neighbour.toCharArray());
        return first < 0 ? id.length() : first;
    }

    private String text(Line line, Map<Column, Integer> widths) {
        return widths.entrySet().stream()
                .map(each ->
                        painted(line, each.getKey(), Columns.padded(line.cells().get(each.getKey()), each.getValue())))
                .collect(Collectors.joining(GAP))
                .stripTrailing();
    }

    private String painted(Line line, Column column, String cell) {
        return switch (line.status().isEmpty() ? Column.RUN : column) {
            case STATUS -> Paint.ofStatus(line.status().get().wire()).on(console, cell);
            case AGE -> Paint.DIM.on(console, cell);
            case RUN, NODE, AT, LAST, COST, WHY -> cell;
        };
    }
}
