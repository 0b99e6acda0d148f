package dev.loopkeeper.cli.print;

/** The actions of keys on a full screen. */
public enum Key {
    UP,
    DOWN,
    PAGE_UP,
    PAGE_DOWN,
    FIRST,
    LAST,
    /** Shows or hides the pane with the selected run. */
    PANE,
    /** Switches to the next filter of runs. */
    FILTER,
    HELP,
    /** Enters text for the selected run: answers, or feedback. */
    ANSWER,
    RESUME,
    PAUSE,
    STOP,
    /** Opens the page of the selected run in a browser. */
    OPEN,
    LEAVE,
    /** A key without a meaning here. */
    OTHER;

    static final int ESCAPE = 0x1b;
    private static final int INTERRUPT = 3;

    /** Returns the meaning of a key that is one character. */
    static Key of(int character) {
        return switch (character) {
            case 'k' -> UP;
            case 'j' -> DOWN;
            case 'b' -> PAGE_UP;
            case ' ' -> PAGE_DOWN;
            case 'g' -> FIRST;
            case 'G' -> LAST;
            case '\r', '\n', 'l' -> PANE;
            case 'f' -> FILTER;
            case '?', 'h' -> HELP;
            case 'a' -> ANSWER;
            case 'r' -> RESUME;
            case 'p' -> PAUSE;
            case 's' -> STOP;
            case 'o' -> OPEN;
            case 'q', INTERRUPT, ESCAPE -> LEAVE;
            default -> OTHER;
        };
    }

    /** Returns the meaning of a key that sends an escape and this sequence, e.g. {@code [A} or {@code [5~}. */
    static Key ofSequence(String sequence) {
        return switch (sequence) {
            case "[A", "OA" -> UP;
            case "[B", "OB" -> DOWN;
            case "[5~" -> PAGE_UP;
            case "[6~" -> PAGE_DOWN;
            case "[H", "OH", "[1~", "[7~" -> FIRST;
            case "[F", "OF", "[4~", "[8~" -> LAST;
            default -> OTHER;
        };
    }
}
