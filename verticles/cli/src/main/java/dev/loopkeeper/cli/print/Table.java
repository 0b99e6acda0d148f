package dev.loopkeeper.cli.print;

import java.util.ArrayList;
import java.util.List;

/** Formats rows in columns as wide as their widest cell; the last column is not padded. */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headings) {
        rows.add(List.of(headings));
    }

    public void add(String... cells) {
        rows.add(List.of(cells));
    }

    /** Returns the headings and the rows. */
    public List<String> lines() {
        return rows.stream().map(this::line).toList();
    }

    private String line(List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            String cell = row.get(column);
            boolean last = column == row.size() - 1;
            line.append(cell).append(last ? "" : " ".repeat(width(column) - cell.length()) + GAP);
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
