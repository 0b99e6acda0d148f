package dev.loopkeeper.cli.print;

/** What somebody asks for by a key of a full screen. */
public enum Key {
    UP,
    DOWN,
    PAGE_UP,
    PAGE_DOWN,
    FIRST,
    LAST,
    /** The pane with the run that is chosen comes or goes. */
    PANE,
    /** Other runs are shown. */
    FILTER,
    HELP,
    /** Words for the chosen run: answers, or what to do differently. */
    ANSWER,
    RESUME,
    PAUSE,
    STOP,
    /** The page of the chosen run in a browser. */
    OPEN,
    LEAVE,
    /** A key that means nothing here. */
    OTHER;

    static final int ESCAPE = 0x1b;
    private static final int INTERRUPT = 3;

    /** A key that is one character. */
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

    /** A key that sends an escape and this behind it, e.g. {@code [A} or {@code [5~}. */
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
