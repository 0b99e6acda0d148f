package dev.loopkeeper.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a terminal would show of what is written to it: as much of a terminal as the program uses. Thread-safe. */
final class VirtualScreen {
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

    VirtualScreen(int columns, int rows) {
        this.columns = columns;
        this.rows = rows;
        this.cells = blank();
    }

    private char[][] blank() {
        char[][] empty = new char[rows][columns];
        for (char[] line : empty) {
            Arrays.fill(line, ' ');
        }
        return empty;
    }

    /** As a terminal that keeps nothing: the program paints again. */
    synchronized void resize(int newColumns, int newRows) {
        columns = newColumns;
        rows = newRows;
        cells = blank();
        row = 0;
        column = 0;
    }

    synchronized void write(char letter) {
        if (escape != null) {
            escape(letter);
        } else if (letter == 0x1b) {
            escape = new StringBuilder();
        } else if (letter == '\n') {
            lineFeed();
        } else if (letter == '\r') {
            column = 0;
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
                || (letter >= 0x2e80 && letter <= 0xa4cf)
                || (letter >= 0xac00 && letter <= 0xd7a3)
                || (letter >= 0xf900 && letter <= 0xfaff)
                || (letter >= 0xff00 && letter <= 0xff60);
    }

    private void lineFeed() {
        if (row < rows - 1) {
            row++;
            return;
        }
        System.arraycopy(cells, 1, cells, 0, rows - 1);
        cells[rows - 1] = new char[columns];
        Arrays.fill(cells[rows - 1], ' ');
    }

    private void escape(char letter) {
        escape.append(letter);
        if (escape.charAt(0) != '[') {
            escape = null;
        } else if (escape.length() > 1 && letter >= '@' && letter <= '~') {
            String sequence = escape.substring(1);
            escape = null;
            obey(sequence);
        }
    }

    private void obey(String sequence) {
        switch (sequence) {
            case "H" -> {
                row = 0;
                column = 0;
            }
            case "A" -> row = Math.max(0, row - 1);
            case "K" -> Arrays.fill(cells[row], column, columns, ' ');
            case "J" -> {
                Arrays.fill(cells[row], column, columns, ' ');
                for (int below = row + 1; below < rows; below++) {
                    Arrays.fill(cells[below], ' ');
                }
            }
            case "2J" -> cells = blank();
            case "?1049h" -> {
                alternate = true;
                wasAlternate = true;
                main = cells;
                mainRow = row;
                cells = blank();
            }
            case "?1049l" -> {
                alternate = false;
                cells = main;
                row = mainRow;
                column = 0;
            }
            case "?25l" -> cursorHidden = true;
            case "?25h" -> cursorHidden = false;
            case "0m" -> {}
            default -> {
                if (!sequence.endsWith("m")) {
                    throw new IllegalStateException("this terminal does not know " + sequence);
                }
                wasColoured = true;
            }
        }
    }

    /** Its rows, without blanks at their ends. */
    synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (char[] line : cells) {
            lines.add(new String(line).replace(String.valueOf(REST_OF_WIDE), "").stripTrailing());
        }
        return lines;
    }

    synchronized String text() {
        return String.join("\n", lines());
    }

    synchronized boolean isAlternate() {
        return alternate;
    }

    synchronized boolean wasAlternate() {
        return wasAlternate;
    }

    synchronized boolean wasColoured() {
        return wasColoured;
    }

    synchronized boolean isCursorHidden() {
        return cursorHidden;
    }

    /** Whether a line was too long for it. */
    synchronized boolean overflowed() {
        return overflowed;
    }
}
