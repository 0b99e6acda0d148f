package dev.loopkeeper.cli.print;

/** Colours of a terminal; plain where there is none. */
public enum Paint {
    /** It worked. */
    GREEN("32"),
    /** A person should look. */
    YELLOW("33"),
    /** It did not work. */
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

    /** The colour of what an iteration came to, or of what was said of it. */
    public static Paint ofVerdict(String verdict) {
        return switch (verdict) {
            case "SUCCESS", "MILESTONE_SUCCESS" -> GREEN;
            case "PROGRESS" -> BOLD;
            case "FAILED" -> RED;
            default -> YELLOW;
        };
    }

    /** The colour of a run's status. */
    public static Paint ofStatus(String status) {
        return switch (status) {
            case "completed", "running" -> GREEN;
            case "failed" -> RED;
            case "queued" -> DIM;
            default -> YELLOW;
        };
    }
}
