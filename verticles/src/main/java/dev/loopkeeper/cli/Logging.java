package dev.loopkeeper.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** How much is logged; {@code logback.xml} sends it to the error stream. */
final class Logging {
    /** Names a level: TRACE, DEBUG, INFO, WARN, ERROR or OFF. */
    static final String VARIABLE = "LOOPKEEPER_LOG_LEVEL";

    private static final String OWN = "dev.loopkeeper";

    private Logging() {}

    /** A server tells what it does, unless the environment wants it otherwise. */
    static void serving(Map<String, String> environment) {
        if (environment.getOrDefault(VARIABLE, "").isEmpty()) {
            logger().setLevel(Level.INFO);
        }
    }

    /** As the environment wants it; an unknown level ends the command. */
    static void configure(Map<String, String> environment) {
        String wanted = environment.getOrDefault(VARIABLE, "");
        if (wanted.isEmpty()) {
            return;
        }
        Level level = Level.toLevel(wanted, null);
        if (level == null) {
            throw CommandFailure.refused(
                    VARIABLE + " must be TRACE, DEBUG, INFO, WARN, ERROR or OFF, was '" + Words.oneLine(wanted) + "'");
        }
        logger().setLevel(level);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(OWN);
    }
}
