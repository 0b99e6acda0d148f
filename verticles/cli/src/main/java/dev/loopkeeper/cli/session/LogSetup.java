package dev.loopkeeper.cli.session;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * How it is logged before an option says otherwise: warnings, to the error stream. Logback finds it as a service. Reading
 * the same from an XML file is a large part of what a short command takes.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%n";
    /** Logback's own way to a file that says how to log. */
    private static final String FILE_PROPERTY = "logback.configurationFile";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty(FILE_PROPERTY) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setName("ERR");
        console.setTarget("System.err");
        console.setEncoder(encoder);
        console.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console);
        context.addTurboFilter(new AcceptFilter(context));
        // It warns of each connection that a server closes with its refusal, which is told by itself.
        context.getLogger("io.vertx.core.http.impl.HttpClientConnectionInternal")
                .setLevel(Level.ERROR);
        // It asks for access to Java's internals, which it does without.
        context.getLogger("com.hazelcast.instance.impl.HazelcastInstanceFactory")
                .setLevel(Level.ERROR);
        // A stack trace each second for a member whose host is unknown; the bus of a node names it once.
        context.getLogger("com.hazelcast.internal.cluster.impl.TcpIpJoiner").setLevel(Level.ERROR);
        // A stack trace for each hint to a node that is not trusted or gone; the bus of a node tells of it once.
        context.getLogger("io.vertx.core.eventbus.impl.clustered").setLevel(Level.ERROR);
        // Two stack traces before the sentence that says where it could not be unpacked.
        context.getLogger("org.sqlite.SQLiteJDBCLoader").setLevel(Level.OFF);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
