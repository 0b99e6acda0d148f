package dev.loopkeeper.cli.print;

import dev.loopkeeper.view.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lays out the full screen of {@code watch}: a table of runs with a selected one, and a pane with that run and its log.
 */
public final class RunsBoard {
    private static final int LEAST_ROWS = 3;
    private static final int LEAST_TABLE = 30;
    private static final String HINT = "up/down choose  a answer  r resume  p pause  s stop  o open  ? keys  q leave";
    private static final String CHOSEN = "> ";
    private static final String OTHERS = "  ";
    private static final List<String> KEYS = List.of(
            "up, down, k, j    select a run",
            "space, b, g, G    a page on, a page back, first, last",
            "enter, l          show or hide the run and its log",
            "f                 show all runs, those that need attention, open ones, ended ones",
            "a                 answer the questions of the run, or resume it with feedback",
            "r, p              resume the run; pause it before its next step",
            "s                 stop the run and its processes; asks first",
            "o                 open the page of the run in a browser",
            "?                 show or hide these keys",
            "q, escape         leave; the runs continue");

    private final Console console;
    private final String address;
    private List<RunsTable.Row> all = List.of();
    private Filter filter = Filter.ALL;
    private Optional<String> chosen = Optional.empty();
    private int top;
    private int page = 1;
    private boolean pane = true;
    private boolean help;
    private Optional<Prompt> prompt = Optional.empty();
    private Optional<String> message = Optional.empty();
    private Detail detail = new Detail("", "", List.of(), List.of());

    private enum Filter {
        ALL("all"),
        ATTENTION("that need attention"),
        OPEN("that are open"),
        ENDED("that ended");

        private final String words;

        Filter(String words) {
            this.words = words;
        }

        Filter next() {
            return switch (this) {
                case ALL -> ATTENTION;
                case ATTENTION -> OPEN;
                case OPEN -> ENDED;
                case ENDED -> ALL;
            };
        }

        boolean wants(Run run) {
            return switch (this) {
                case ALL -> true;
                case ATTENTION -> run.needsAttention();
                case OPEN -> run.status().isOpen() && !run.needsAttention();
                case ENDED -> run.status().isEnded() && !run.needsAttention();
            };
        }
    }

    /**
     * The details of the selected run.
     *
     * @param title step whose log is shown, e.g. {@code build.3.dev.1}
     * @param report why the run has its status, one line each
     * @param log newest lines of the log
     */
    public record Detail(String runId, String title, List<String> report, List<String> log) {}

    /** Creates a board without runs. */
    public RunsBoard(Console console, String address) {
        this.console = console;
        this.address = address;
    }

    /** Replaces the runs. The selected run stays selected wherever it moves. */
    public void runs(List<RunsTable.Row> rows) {
        all = RunsTable.ordered(rows);
    }

    public void detail(Detail known) {
        detail = known;
    }

    /** Returns the id of the selected run; empty if no run is shown. */
    public Optional<String> chosen() {
        List<RunsTable.Row> rows = rows();
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(rows.get(index(rows)).entry().runId());
    }

    /** Returns whether the pane with the selected run is visible. */
    public boolean paneIsOpen() {
        return pane && !help;
    }

    /** Asks a question in the last line; the following keys answer it. */
    public void ask(Prompt question) {
        message = Optional.empty();
        prompt = Optional.of(question);
    }

    /** Shows a text in the last line until the next key. */
    public void say(String text) {
        message = Optional.of(text);
    }

    /** Processes a key, but does not leave the screen or act on runs. Returns false if a prompt used the key. */
    public boolean press(KeyPress press) {
        if (prompt.isPresent()) {
            Prompt asked = prompt.get();
            // The action of the prompt may open another prompt.
            prompt = Optional.empty();
            if (asked.press(press)) {
                prompt = Optional.of(asked);
            }
            return false;
        }
        message = Optional.empty();
        press(press.key());
        return true;
    }

    void press(Key key) {
        switch (key) {
            case UP -> move(-1);
            case DOWN -> move(1);
            case PAGE_UP -> move(-page);
            case PAGE_DOWN -> move(page);
            case FIRST -> move(-all.size());
            case LAST -> move(all.size());
            case PANE -> pane = !pane;
            case FILTER -> filter = filter.next();
            case HELP -> help = !help;
            case ANSWER, RESUME, PAUSE, STOP, OPEN, LEAVE, OTHER -> {}
        }
    }

    private void move(int by) {
        List<RunsTable.Row> rows = rows();
        if (!rows.isEmpty()) {
            int index = Math.max(0, Math.min(rows.size() - 1, index(rows) + by));
            chosen = Optional.of(rows.get(index).entry().runId());
        }
    }

    private List<RunsTable.Row> rows() {
        return all.stream()
                .filter(row -> row.entry().run().map(filter::wants).orElse(filter == Filter.ALL))
                .toList();
    }

    /** Returns the index of the selected run; 0 if it is not in these rows. */
    private int index(List<RunsTable.Row> rows) {
        for (int index = 0; index < rows.size(); index++) {
            if (chosen.filter(rows.get(index).entry().runId()::equals).isPresent()) {
                return index;
            }
        }
        return 0;
    }

    /** Returns at most as many lines as the terminal has rows, none wider than the terminal. */
    public List<String> lines(Screen.Size size, Times times) {
        int width = Math.max(1, size.columns() - 1);
        List<String> lines = new ArrayList<>();
        lines.add(Paint.BOLD.on(console, Columns.cut(title(), width)));
        int left = Math.max(0, size.rows() - 2);
        if (help) {
            KEYS.stream().limit(left).forEach(line -> lines.add(Columns.cut(OTHERS + line, width)));
        } else {
            List<String> table = table(width, times);
            boolean both = pane && left >= 2 * LEAST_ROWS;
            int forTable = both ? Math.min(table.size(), Math.max(LEAST_ROWS, left / 2)) : left;
            window(table, forTable).forEach(lines::add);
            if (both) {
                pane(width, left - Math.min(table.size(), forTable)).forEach(lines::add);
            }
        }
        if (size.rows() > 1) {
            while (lines.size() < size.rows() - 1) {
                lines.add("");
            }
            lines.add(last(width));
        }
        return lines;
    }

    private String last(int width) {
        if (prompt.isPresent()) {
            return Paint.BOLD.on(console, prompt.get().shown(width));
        }
        return message.map(text -> Paint.YELLOW.on(console, Columns.cut(Words.oneLine(text), width)))
                .orElseGet(() -> Paint.DIM.on(console, Columns.cut(HINT, width)));
    }

    private String title() {
        long attention = count(Filter.ATTENTION);
        String runs = filter == Filter.ALL ? "" : "  only those " + filter.words;
        return "Loopkeeper  " + attention + (attention == 1 ? " needs" : " need") + " attention, " + count(Filter.OPEN)
                + " open, " + count(Filter.ENDED) + " ended" + runs + "  " + address;
    }

    private long count(Filter which) {
        return all.stream()
                .flatMap(row -> row.entry().run().stream())
                .filter(which::wants)
                .count();
    }

    /** Returns the headings and all runs. */
    private List<String> table(int width, Times times) {
        List<RunsTable.Row> rows = rows();
        if (rows.isEmpty()) {
            return List.of(OTHERS + "no runs");
        }
        // The table is never narrower than its smallest columns, and coloured text cannot be cut.
        boolean coloured = console.coloured() && width >= LEAST_TABLE;
        Screen narrower = Screen.of(Math.max(1, width - CHOSEN.length()), 1);
        Console beside = new Console(
                console.out(),
                console.err(),
                console.environment(),
                Optional.of(narrower),
                coloured,
                console.program(),
                console.keyboard());
        List<String> lines = new ArrayList<>();
        for (String line : new RunsTable(beside, times).lines(rows)) {
            String whole = (lines.size() - 1 == index(rows) ? CHOSEN : OTHERS) + line;
            lines.add(coloured ? whole : Columns.cut(whole, width));
        }
        return lines;
    }

    /** Returns the headings and as many runs as fit, the selected one among them. */
    private List<String> window(List<String> table, int most) {
        if (most < 1 || table.size() == 1) {
            return table.subList(0, Math.min(table.size(), Math.max(0, most)));
        }
        int runs = table.size() - 1;
        page = Math.max(1, most - 1);
        int at = index(rows());
        top = Math.max(0, Math.min(Math.max(top, at - page + 1), Math.min(at, Math.max(0, runs - page))));
        List<String> seen = new ArrayList<>(most == 1 ? List.of() : table.subList(0, 1));
        seen.addAll(table.subList(Math.min(1 + top, table.size()), Math.min(table.size(), 1 + top + page)));
        return seen;
    }

    private List<String> pane(int width, int most) {
        List<String> lines = new ArrayList<>();
        boolean known = chosen().filter(detail.runId()::equals).isPresent();
        String title = known ? detail.runId() + "  " + detail.title() : chosen().orElse("");
        String rule = "-- " + title + " ";
        lines.add(Paint.DIM.on(console, Columns.cut(rule + "-".repeat(Math.max(0, width - Columns.of(rule))), width)));
        if (known) {
            int left = Math.max(0, most - 1);
            List<String> log = detail.log();
            List<String> report = detail.report().stream()
                    .flatMap(line -> Columns.wrapped(line, width).stream())
                    .map(line -> Columns.cut(line, width))
                    .toList();
            // The report leaves half of the lines to a log that is long enough.
            int forReport = Math.min(report.size(), Math.max(Math.max(1, left / 2), left - log.size()));
            report.stream().limit(Math.min(left, forReport)).forEach(lines::add);
            int forLog = Math.max(0, left - forReport);
            log.subList(Math.max(0, log.size() - forLog), log.size())
                    .forEach(line -> lines.add(Columns.cut(line, width)));
        }
        return lines.subList(0, Math.min(lines.size(), Math.max(0, most)));
    }
}
