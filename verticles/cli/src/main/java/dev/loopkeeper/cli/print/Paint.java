package dev.loopkeeper.cli.print;

/** Colours and styles of a terminal; without colours the text stays plain. */
public enum Paint {
    /** Success. */
    GREEN("32"),
    /** Needs attention. */
    YELLOW("33"),
    /** Failure. */
    RED("31"),
    /** Less important. */
    DIM("2"),
    /** A heading. */
    BOLD("1");

    private static final String ESCAPE = "\u001b[";

    private final String code;

    Paint(String code) {
        this.code = code;
    }

    public String on(Console console, String text) {
        return console.coloured() ? ESCAPE + code + "m" + text + ESCAPE + "0m" : text;
    }

    /** Returns the colour of a verdict. */
    public static Paint ofVerdict(String verdict) {
        return switch (verdict) {
            case "SUCCESS", "MILESTONE_SUCCESS" -> GREEN;
            case "PROGRESS" -> BOLD;
            case "FAILED" -> RED;
            default -> YELLOW;
        };
    }

    /** Returns the colour of a run's status. */
    public static Paint ofStatus(String status) {
        return switch (status) {
            case "completed", "running" -> GREEN;
            case "failed" -> RED;
            case "queued" -> DIM;
            default -> YELLOW;
        };
    }
}
