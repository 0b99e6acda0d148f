package dev.loopkeeper.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a terminal would show of what is written to it: as much of a terminal as the program uses. Thread-safe. */
public final class VirtualScreen {
    /** The second cell of a wide letter. */
    private static final char REST_OF_WIDE = 0;

    private int columns;
    private int rows;
    private int row;
    private int column;
    private char[][] cells;
    private char[][] main;
    private int mainRow;
    private boolean alternate;
    private boolean cursorHidden;
    private boolean wasAlternate;
    private boolean wasColoured;
    private boolean overflowed;
    private StringBuilder escape;

    public VirtualScreen(int columns, int rows) {
        this.columns = columns;
        this.rows = rows;
        this.cells = blank();
    }

    private char[][] blank() {
        char[][] empty = new char[rows][];
        Arrays.setAll(empty, row -> blankLine());
        return empty;
    }

    private char[] blankLine() {
        char[] line = new char[columns];
        Arrays.fill(line, ' ');
        return line;
    }

    /** As a terminal that keeps nothing: the program paints again. */
    public synchronized void resize(int newColumns, int newRows) {
        columns = newColumns;
        rows = newRows;
        cells = blank();
        row = 0;
        column = 0;
    }

    public synchronized void write(char letter) {
        if (escape != null) {
            escape(letter);
        } else if (letter == 0x1b) {
            escape = new StringBuilder();
        } else if (letter == '\n') {
            lineFeed();
        } else if (letter == '\r') {
            column = 0;
        } else if (letter == '\b') {
            column = Math.max(0, column - 1);
        } else if (letter >= ' ' && Character.getType(letter) != Character.NON_SPACING_MARK) {
            put(letter);
            if (isWide(letter)) {
                put(REST_OF_WIDE);
            }
        }
    }

    private void put(char letter) {
        if (column == columns) {
            overflowed = true;
            column = 0;
            lineFeed();
        }
        cells[row][column++] = letter;
    }

    /** Letters of East Asia take two columns; what needs two chars has two cells anyway. */
    private static boolean isWide(char letter) {
        return (letter >= 0x1100 && letter <= 0x115f)
                || letter == '\u2705'
                || (letter >= 0x2e80 && letter <= 0xa4cf)
                || (letter >= 0xac00 && letter <= 0xd7a3)
                || (letter >= 0xf900 && letter <= 0xfaff)
                || (letter >= 0xff00 && letter <= 0xff60);
    }

    private void lineFeed() {
        if (row < rows - 1) {
            row++;
        } else {
            move(1, 0, rows - 1);
            move(0, rows - 1, 1);
        }
    }

    /** Moves so many lines from one row to another; the rows that are left are blank. */
    private void move(int from, int to, int count) {
        if (count > 0 && from != to) {
            char[][] moved = Arrays.copyOfRange(cells, from, from + count);
            for (int each = from; each < from + count; each++) {
                cells[each] = blankLine();
            }
            System.arraycopy(moved, 0, cells, to, count);
        }
    }

    private void escape(char letter) {
        escape.append(letter);
        char kind = escape.charAt(0);
        if (kind == '(' ? escape.length() == 2 : kind != '[') {
            escape = null;
        } else if (kind == '[' && escape.length() > 1 && letter >= '@' && letter <= '~') {
            String parameters = escape.substring(1, escape.length() - 1);
            escape = null;
            obey(letter, parameters);
        }
    }

    private void obey(char command, String parameters) {
        if (parameters.startsWith("?")) {
            mode(command + parameters);
            return;
        }
        String[] numbers = parameters.split(";", -1);
        int first = numbers[0].isEmpty() ? 1 : Integer.parseInt(numbers[0]);
        switch (command) {
            case 'H' -> {
                row = Math.min(rows, first) - 1;
                column = numbers.length < 2 ? 0 : Math.min(columns, Integer.parseInt(numbers[1])) - 1;
            }
            case 'A' -> row = Math.max(0, row - first);
            case 'B' -> row = Math.min(rows - 1, row + first);
            case 'C' -> column = Math.min(columns - 1, column + first);
            case 'D' -> column = Math.max(0, column - first);
            case 'K' -> Arrays.fill(cells[row], column, columns, ' ');
            case 'J' -> clear(parameters);
            case 'L' -> move(row, row + Math.min(first, rows - row), rows - row - Math.min(first, rows - row));
            case 'M' -> delete(Math.min(first, rows - row));
            case '@' -> shift(column, column + first);
            case 'P' -> shift(column + first, column);
            case 'm' -> wasColoured |= !parameters.isEmpty() && !parameters.equals("0");
            case 't' -> {} // the title of the window
            default -> throw new IllegalStateException("this terminal does not know " + parameters + command);
        }
    }

    private void mode(String mode) {
        switch (mode) {
            case "h?1049" -> {
                alternate = true;
                wasAlternate = true;
                main = cells;
                mainRow = row;
                cells = blank();
            }
            case "l?1049" -> {
                alternate = false;
                cells = main;
                row = mainRow;
                column = 0;
            }
            case "l?25" -> cursorHidden = true;
            case "h?25", "h?12;25" -> cursorHidden = false;
            case "l?12" -> {} // the cursor does not blink
            default -> throw new IllegalStateException("this terminal does not know " + mode);
        }
    }

    private void clear(String what) {
        if (what.equals("2")) {
            cells = blank();
        } else if (what.isEmpty()) {
            Arrays.fill(cells[row], column, columns, ' ');
            for (int below = row + 1; below < rows; below++) {
                cells[below] = blankLine();
            }
        }
    }

    private void delete(int count) {
        for (int each = row; each < row + count; each++) {
            cells[each] = blankLine();
        }
        move(row + count, row, rows - row - count);
    }

    /** Moves the rest of the line from one column to another. */
    private void shift(int from, int to) {
        char[] line = cells[row];
        char[] shifted = blankLine();
        System.arraycopy(line, 0, shifted, 0, Math.min(from, to));
        int count = columns - Math.min(columns, Math.max(from, to));
        System.arraycopy(line, Math.min(columns, from), shifted, Math.min(columns, to), count);
        cells[row] = shifted;
    }

    /** Its rows, without blanks at their ends. */
    public synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (char[] line : cells) {
            lines.add(new String(line).replace(String.valueOf(REST_OF_WIDE), "").stripTrailing());
        }
        return lines;
    }

    public synchronized String text() {
        return String.join("\n", lines());
    }

    synchronized boolean isAlternate() {
        return alternate;
    }

    synchronized boolean wasAlternate() {
        return wasAlternate;
    }

    public synchronized boolean wasColoured() {
        return wasColoured;
    }

    synchronized boolean isCursorHidden() {
        return cursorHidden;
    }

    /** Whether a line was too long for it. */
    public synchronized boolean overflowed() {
        return overflowed;
    }
}
