package dev.loopkeeper.it;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What the benchmarks of this process have measured on the way that users walk, as one table. */
final class BenchRows {
    /** One line of it: what is measured, beside what, and the goal, which is for an idle machine. */
    enum Row {
        DEFAULT_5000(
                "an iteration with the default manifest, 5,000 files in git: in place, in a worktree",
                "the same with noProgress: 0",
                "2 times"),
        DEFAULT_50000("the same, 50,000 files", "the same with noProgress: 0", "300 ms"),
        START("start to the first 200", "a bare Vert.x server", "550 ms; Java 25: 400 ms"),
        IDLE("idle memory (PSS) after 10 s", "a bare Vert.x server", "80 MiB; Java 25: 85 MiB"),
        FRESH("an iteration of two steps with signals, server just started", "two launches, four syncs", "25 ms"),
        WARM_20("the same, warm, 20 iterations", "two launches, four syncs", "8 ms"),
        WARM_100("the same, warm, 100 iterations", "two launches, four syncs", "8 ms"),
        WARM_20_RUNS("the same, warm, 20 runs at once, each iteration", "two launches, four syncs", ""),
        TRUE_STEPS("two steps of true without signals, warm", "two launches, four syncs", ""),
        OPEN_PAUSED("20 iterations, warm, beside open runs that are paused", "the same beside none", ""),
        OPEN_LIVING(
                "20 iterations, warm, beside open runs with living agents", "the same beside none", "2 ms more a step"),
        STOP_POLITE("polite stop: tree gone, answered as verified", "a bare kill", "10, 20 ms"),
        STOP_DEAF("stop of one that ignores TERM, beyond its grace, the same", "a bare kill", "25 ms"),
        MANY_CHILDREN("200 idle children of one phase: started, stopped and verified", "bare launches", "800, 300 ms"),
        MEMORY("memory with them (PSS): server, launchers", "the server before them", "120, 20 MiB"),
        MANY_RUNS("200 runs of one step: submitted and started, all stopped", "bare launches", "1500, 500 ms"),
        REQUESTS(
                "POST /runs one after the other, first and last 40 of 320; POST stop eight at once, likewise",
                "GET /health/live",
                "3, 8 ms"),
        RESTART_PAUSED("kill -9 with paused runs, restart: lives, ready", "the same with none", "ready 1500 ms"),
        RESTART_LIVING("kill -9 with living agents, restart: lives, ready", "the same with none", "ready 2500 ms"),
        FOLLOWED(
                "30 MB of output with a follower: time, memory, worst health answer",
                "from a pipe; idle",
                "500 ms, 5 MiB, 10 ms"),
        LONG("a long run: processor time of an iteration, last fifth", "the first fifth", "no more"),
        COMMANDS("runs, show, stop, the whole command", "java -version", "Java 25: 250 ms");

        private final String what;
        private final String beside;
        private final String goal;

        Row(String what, String beside, String goal) {
            this.what = what;
            this.beside = beside;
            this.goal = goal;
        }
    }

    private static final Map<Row, String> MEASURED = new EnumMap<>(Row.class);

    private BenchRows() {}

    /**
     * Keeps one line.
     *
     * @param value with its units, e.g. {@code 16.2, 31.0 ms}
     * @param bare what was measured beside it in the same run, likewise
     */
    static synchronized void measured(Row row, String value, String bare) {
        MEASURED.put(row, value + " | " + bare);
    }

    /** Several figures of one unit, with one digit after the point. */
    static String figures(String unit, double... values) {
        StringBuilder text = new StringBuilder();
        for (double value : values) {
            text.append(text.isEmpty() ? "" : ", ").append(String.format(Locale.ROOT, "%.1f", value));
        }
        return text + " " + unit;
    }

    /** Every line in Markdown; of what failed or was not run it says so. */
    static synchronized String table() {
        StringBuilder table =
                new StringBuilder("| measure | now | beside it | which is | goal |\n|---|---|---|---|---|\n");
        for (Row row : Row.values()) {
            table.append("| ").append(row.what).append(" | ");
            table.append(MEASURED.getOrDefault(row, "not measured | -"));
            table.append(" | ")
                    .append(row.beside)
                    .append(" | ")
                    .append(row.goal)
                    .append(" |\n");
        }
        return table.toString();
    }
}
