package dev.loopkeeper.cli.session;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.scheduler.EventLog;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/** Configures level and format of logging; {@link LogSetup} sends it to the error stream. */
final class Logging {
    private static final String OWN = "dev.loopkeeper";
    private static final String PEOPLE = "%d{HH:mm:ss}  %replace(%level ){'INFO |DEBUG ', ''}%msg%n";
    static final List<String> LEVELS = List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF");
    static final List<String> FORMATS = List.of("text", "json");

    /** The values of {@code --log-level}. */
    static final class Levels extends ArrayList<String> {
        Levels() {
            super(LEVELS);
        }
    }

    /** The values of {@code --log-format}. */
    static final class Formats extends ArrayList<String> {
        Formats() {
            super(FORMATS);
        }
    }

    private Logging() {}

    /**
     * Applies the options; an unknown value ends the command.
     *
     * @param level null keeps the default
     * @param format null means text
     */
    static void configure(String level, String format) {
        if (level != null) {
            logger(OWN).setLevel(Level.valueOf(known("--log-level", level.toUpperCase(Locale.ROOT), LEVELS)));
        }
        if (format != null && known("--log-format", format, FORMATS).equals("json")) {
            inJson();
        }
    }

    private static String known(String option, String word, List<String> words) {
        if (!words.contains(word)) {
            throw CommandFailure.refused(
                    option + " must be one of " + String.join(", ", words) + ", was '" + Words.oneLine(word) + "'");
        }
        return word;
    }

    /**
     * Sets the default logging of a server to INFO, and to each event of its runs. On a terminal it logs only events that people need, without class
     * names.
     */
    static void serving(String level, String format, boolean terminal) {
        if (level == null) {
            logger(OWN).setLevel(Level.INFO);
            logger(EventLog.NAME).setLevel(Level.DEBUG);
            if (terminal && !"json".equals(format)) {
                forPeople();
            }
        }
    }

    private static void forPeople() {
        Filter<ILoggingEvent> filter = new Filter<>() {
            @Override
            public FilterReply decide(ILoggingEvent event) {
                List<Marker> markers = event.getMarkerList();
                return markers != null && markers.contains(EventLog.MARKER) ? FilterReply.DENY : FilterReply.NEUTRAL;
            }
        };
        consoles().forEach(console -> {
            console.setEncoder(LogSetup.pattern(console.getContext(), PEOPLE));
            console.addFilter(filter);
        });
    }

    /** Converts messages for people too: a log collector expects one JSON object per line. */
    private static void inJson() {
        Console.logMessages();
        consoles().forEach(console -> {
            JsonLogEncoder encoder = new JsonLogEncoder();
            encoder.setContext(console.getContext());
            encoder.start();
            console.setEncoder(encoder);
        });
    }

    private static List<ConsoleAppender<ILoggingEvent>> consoles() {
        List<ConsoleAppender<ILoggingEvent>> consoles = new ArrayList<>();
        Iterator<Appender<ILoggingEvent>> appenders =
                logger(org.slf4j.Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
        while (appenders.hasNext()) {
            if (appenders.next() instanceof ConsoleAppender<ILoggingEvent> console) {
                consoles.add(console);
            }
        }
        return consoles;
    }

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }
}
