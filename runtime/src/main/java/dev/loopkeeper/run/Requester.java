package dev.loopkeeper.run;

/** Who requested a change of a run, as its events record it in {@code by}; a token with a name gives that name. */
public final class Requester {
    /** The owner of the data folder, or a client of a server on loopback without tokens. */
    public static final String LOCAL = "local";
    /** A token without a name. */
    public static final String CONTROL = "control";
    /** A person who follows a link of a notification. */
    public static final String LINK = "link";

    private Requester() {}

    /** The agent of a running step. */
    public static String agent(String stepId) {
        return "agent " + stepId;
    }
}
