package dev.loopkeeper.manifest.read;

import java.util.Set;

/** Lets tests of other packages see the names that the manifest knows. */
public final class BuiltInNames {
    private BuiltInNames() {}

    /** Types of events that a notification may name. */
    public static Set<String> events() {
        return Choices.EVENT.keySet();
    }
}
