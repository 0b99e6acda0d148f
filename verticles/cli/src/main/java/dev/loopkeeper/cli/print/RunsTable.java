package dev.loopkeeper.cli.print;

import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Owner;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Runs as a table; runs that need attention come first. On a terminal it is coloured and as wide as the terminal,
 * elsewhere its lines are complete.
 */
public final class RunsTable {
    private static final String GAP = "  ";
    private static final int SHORTEST_ID = 8;
    /** Where less is left of a reason it says nothing. */
    private static final int LEAST_WHY = 16;
    /** What goes first where there is no room for all. */
    private static final List<Column> IN_ORDER_OF_LOSS =
            List.of(Column.LAST, Column.COST, Column.AT, Column.NODE, Column.AGE);

    private enum Column {
        RUN,
        STATUS,
        /** Only where there are nodes. */
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
     * @param note what matters more than all that its record says, e.g. that nobody carries it out
     */
    public record Row(Runs.Entry entry, Optional<String> note) {}

    /** The cells of one run, and how they look. */
    private record Line(Map<Column, String> cells, Optional<RunStatus> status) {}

    private final Console console;
    private final Times times;

    public RunsTable(Console console, Times times) {
        this.console = console;
        this.times = times;
    }

    /** The headings and the runs below, in this order. */
    public List<String> lines(List<Row> rows) {
        List<Line> lines = new ArrayList<>();
        lines.add(heading());
        rows.forEach(row -> lines.add(line(row)));
        List<Column> columns = new ArrayList<>(List.of(Column.values()));
        if (rows.stream().allMatch(row -> owner(row).isEmpty())) {
            columns.remove(Column.NODE);
        }
        console.screen().ifPresent(screen -> fit(lines, columns, screen.size().columns()));
        Map<Column, Integer> widths = widths(lines, columns);
        return lines.stream().map(line -> text(line, columns, widths)).toList();
    }

    /**
     * As they are listed: runs that need attention first, those that are paused before those that ended, then open runs,
     * then the others. A pause that is older comes first; otherwise the order stays.
     */
    public static List<Row> ordered(List<Row> rows) {
        List<Row> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparing(RunsTable::rank));
        return sorted;
    }

    private static Rank rank(Row row) {
        Optional<Run> run = row.entry().run();
        if (run.filter(Run::needsAttention).isPresent()) {
            return run.get().pause().isPresent()
                    ? new Rank(0, RunWords.since(run.get()).toEpochMilli())
                    : new Rank(1, 0);
        }
        return new Rank(run.filter(known -> known.status().isOpen()).isPresent() ? 2 : 3, 0);
    }

    private record Rank(int group, long millis) implements Comparable<Rank> {
        @Override
        public int compareTo(Rank other) {
            return group == other.group ? Long.compare(millis, other.millis) : Integer.compare(group, other.group);
        }
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
        known.ifPresentOrElse(run -> {}, () -> {
            cells.put(Column.STATUS, "damaged");
            cells.put(Column.WHY, row.entry().damage().map(Words::shown).orElse(""));
        });
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
            case AT -> RunWords.place(run);
            case LAST -> RunWords.last(run);
            case COST -> RunWords.cost(run);
            case AGE -> RunWords.age(run, times);
            case WHY -> RunWords.why(run, times);
        };
    }

    /** First ids become shorter, as far as they still name their runs, then columns go, then reasons are cut. */
    private static void fit(List<Line> lines, List<Column> columns, int room) {
        if (leftForWhy(lines, columns, room) < LEAST_WHY) {
            shorten(lines.subList(1, lines.size()));
        }
        for (Column column : IN_ORDER_OF_LOSS) {
            if (leftForWhy(lines, columns, room) < LEAST_WHY) {
                columns.remove(column);
            }
        }
        int left = Math.max(0, leftForWhy(lines, columns, room));
        lines.forEach(line -> line.cells().compute(Column.WHY, (why, text) -> Columns.cut(text, left)));
        if (left == 0) {
            columns.remove(Column.WHY);
        }
        int forRun = Math.max(
                1,
                room
                        - sum(widths(lines, columns), columns)
                        + widths(lines, columns).get(Column.RUN));
        lines.forEach(line -> line.cells().compute(Column.RUN, (run, text) -> Columns.cut(text, forRun)));
    }

    /** Never more than the longest reason needs. */
    private static int leftForWhy(List<Line> lines, List<Column> columns, int room) {
        Map<Column, Integer> widths = widths(lines, columns);
        int needed = widths.get(Column.WHY);
        int left = room - (sum(widths, columns) - needed);
        return left >= needed ? Math.max(needed, LEAST_WHY) : left;
    }

    private static int sum(Map<Column, Integer> widths, List<Column> columns) {
        return columns.stream().mapToInt(widths::get).sum() + GAP.length() * (columns.size() - 1);
    }

    private static void shorten(List<Line> lines) {
        NavigableSet<String> ids = new TreeSet<>();
        lines.forEach(line -> ids.add(line.cells().get(Column.RUN)));
        for (Line line : lines) {
            line.cells().compute(Column.RUN, (run, id) -> beginning(id, ids));
        }
    }

    private static String beginning(String id, NavigableSet<String> ids) {
        int alike = Math.max(alike(id, ids.lower(id)), alike(id, ids.higher(id)));
        int length = Math.max(SHORTEST_ID, alike + 1);
        // Dots in place of one character would save nothing.
        return length + 1 < id.length() ? id.substring(0, length) + "…" : id;
    }

    /** How many characters two ids begin with alike. */
    private static int alike(String id, String neighbour) {
        int length = 0;
        int most = neighbour == null ? 0 : Math.min(id.length(), neighbour.length());
        while (length < most && id.charAt(length) == neighbour.charAt(length)) {
            length++;
        }
        return length;
    }

    private static Map<Column, Integer> widths(List<Line> lines, List<Column> columns) {
        Map<Column, Integer> widths = new EnumMap<>(Column.class);
        for (Column column : columns) {
            widths.put(
                    column,
                    lines.stream()
                            .mapToInt(line -> Columns.of(line.cells().get(column)))
                            .max()
                            .orElse(0));
        }
        return widths;
    }

    private String text(Line line, List<Column> columns, Map<Column, Integer> widths) {
        StringBuilder text = new StringBuilder();
        for (int index = 0; index < columns.size(); index++) {
            Column column = columns.get(index);
            boolean last = index == columns.size() - 1;
            String cell = line.cells().get(column);
            text.append(painted(line, column, last ? cell : Columns.padded(cell, widths.get(column))));
            text.append(last ? "" : GAP);
        }
        return text.toString().stripTrailing();
    }

    private String painted(Line line, Column column, String cell) {
        if (line.status().isEmpty()) {
            return cell;
        }
        return switch (column) {
            case STATUS -> Paint.ofStatus(line.status().get().wire()).on(console, cell);
            case AGE -> Paint.DIM.on(console, cell);
            case RUN, NODE, AT, LAST, COST, WHY -> cell;
        };
    }
}
