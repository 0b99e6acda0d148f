package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("reads the log of the process, or changes what it has once")
class LogSetupTest {
    private final LoggerContext context = new LoggerContext();

    private Logger root() {
        return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @Test
    void logsWarningsToTheErrorStreamWithoutFurtherConfiguration() {
        assertThat(new LogSetup().configure(context)).isEqualTo(Configurator.ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
        assertThat(root().getLevel()).isEqualTo(Level.WARN);
        ConsoleAppender<ILoggingEvent> console = (ConsoleAppender<ILoggingEvent>) root().getAppender("ERR");
        assertThat(console.getTarget()).isEqualTo("System.err");
        assertThat(console.isStarted()).isTrue();
    }

    @Test
    void aFileThatSaysHowToLogIsLeftToLogback() {
        String before = System.setProperty("logback.configurationFile", "own.xml");
        try {
            assertThat(new LogSetup().configure(context)).isEqualTo(Configurator.ExecutionStatus.INVOKE_NEXT_IF_ANY);
            assertThat(root().iteratorForAppenders().hasNext()).isFalse();
        } finally {
            if (before == null) {
                System.clearProperty("logback.configurationFile");
            } else {
                System.setProperty("logback.configurationFile", before);
            }
        }
    }

    @Test
    void logbackFindsIt() {
        assertThat(ServiceLoader.load(Configurator.class)).hasAtLeastOneElementOfType(LogSetup.class);
    }
}
