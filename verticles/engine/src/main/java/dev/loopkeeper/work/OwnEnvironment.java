package dev.loopkeeper.work;

import java.util.Map;
import java.util.Properties;

/**
 * The variables that the start script sets or removes for this JVM only: the locale, by which Java encodes file names,
 * and options of Java that are meant for others. Programs that are started get back what was set before.
 */
public final class OwnEnvironment {
    /** With the variable's name behind it: the value before the start script; empty if it was not set. */
    private static final String BEFORE = "loopkeeper.before.";

    private OwnEnvironment() {}

    /** Takes the script's changes out of an environment that was copied from this JVM's. */
    public static void giveBack(Map<String, String> environment) {
        giveBack(environment, System.getProperties());
    }

    static void giveBack(Map<String, String> environment, Properties properties) {
        for (String property : properties.stringPropertyNames()) {
            if (property.startsWith(BEFORE)) {
                String variable = property.substring(BEFORE.length());
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
