package dev.loopkeeper.cli.session;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * The default logging: warnings to the error stream. Logback finds this class as a service; reading an XML file instead
 * would take a large part of the time of a short command.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%n";
    /** Logback's own property for a configuration file. */
    private static final String FILE_PROPERTY = "logback.configurationFile";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty(FILE_PROPERTY) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setName("ERR");
        console.setTarget("System.err");
        console.setEncoder(pattern(context, PATTERN));
        console.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console);
        context.addTurboFilter(
                new AcceptFilter(context.getLogger("dev.loopkeeper.gateway.Connections"), System::nanoTime));
        // The client warns of each connection that a server closes with a refusal, which the command reports itself.
        context.getLogger("io.vertx.core.http.impl.HttpClientConnectionInternal")
                .setLevel(Level.ERROR);
        // Hazelcast warns that access to Java's internals is missing, which it does not need.
        context.getLogger("com.hazelcast.instance.impl.HazelcastInstanceFactory")
                .setLevel(Level.ERROR);
        // Hazelcast logs a stack trace each second for a member whose host is unknown; the event bus of a node logs it
        // once.
        context.getLogger("com.hazelcast.internal.cluster.impl.TcpIpJoiner").setLevel(Level.ERROR);
        // Vert.x logs a stack trace for each message to a node that is not trusted or gone; the event bus of a node
        // logs it once.
        context.getLogger("io.vertx.core.eventbus.impl.clustered").setLevel(Level.ERROR);
        // The SDK logs a stack trace for each request that it answers with an error.
        context.getLogger("io.modelcontextprotocol").setLevel(Level.ERROR);
        // The SQLite driver logs two stack traces before the message that says where the library could not be unpacked.
        context.getLogger("org.sqlite.SQLiteJDBCLoader").setLevel(Level.OFF);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    static PatternLayoutEncoder pattern(Context context, String pattern) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(pattern);
        encoder.start();
        return encoder;
    }
}
