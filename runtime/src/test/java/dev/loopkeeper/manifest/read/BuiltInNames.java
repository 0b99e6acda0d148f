package dev.loopkeeper.manifest.read;

import java.util.Set;

/** Lets tests of other packages see the names that the manifest knows. */
public final class BuiltInNames {
    private BuiltInNames() {}

    /** Types of events that a notification may name. */
    public static Set<String> events() {
        return Choices.EVENT.keySet();
    }

    /** Reason codes that nobody may redefine. */
    public static Set<String> reasons() {
        return ReasonsReader.BUILT_IN;
    }

    /** Further codes that nobody may declare, since their subtype is taken. */
    public static Set<String> subtypes() {
        return ReasonsReader.BUILT_IN_SUBTYPES;
    }
}
