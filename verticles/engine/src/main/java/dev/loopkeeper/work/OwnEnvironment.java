package dev.loopkeeper.work;

import java.util.Map;
import java.util.Properties;

/**
 * The variables that have another value in this JVM than in the programs that are started: the locale, by which Java
 * encodes file names, options of Java that are meant for others, and {@code PATH}, on which agents find Loopkeeper.
 */
public final class OwnEnvironment {
    /** With the variable's name behind it: the value for programs; empty if they do not have the variable. */
    private static final String INHERITED = "loopkeeper.inherited.";

    private OwnEnvironment() {}

    /** Takes the script's changes out of an environment that was copied from this JVM's. */
    public static void giveBack(Map<String, String> environment) {
        giveBack(environment, System.getProperties());
    }

    static void giveBack(Map<String, String> environment, Properties properties) {
        for (String property : properties.stringPropertyNames()) {
            if (property.startsWith(INHERITED)) {
                String variable = property.substring(INHERITED.length());
                String value = properties.getProperty(property);
                if (value.isEmpty()) {
                    environment.remove(variable);
                } else {
                    environment.put(variable, value);
                }
            }
        }
    }
}
