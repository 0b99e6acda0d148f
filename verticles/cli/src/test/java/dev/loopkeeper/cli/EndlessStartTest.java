package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.RootStarter;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A start that comes to no end is given up after a while. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EndlessStartTest {
    @TempDir
    Path folder;

    private final Promise<RootStarter.Root> start = Promise.promise();

    private final class Endless implements RootStarter {
        @Override
        public Future<Root> start(Vertx vertx, LoopkeeperOptions options, GatewayOptions serving) {
            return start.future();
        }

        @Override
        public Duration limit() {
            return Duration.ofMillis(100);
        }
    }

    private Terminal.CommandOutput serve() {
        return new Terminal(folder.resolve("data")).type(new Endless(), "serve", "--port", "0");
    }

    @Test
    void reportsWhichPartTookTooLong() {
        Terminal.CommandOutput result = serve();

        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains("the start with " + folder.resolve("data") + " has not ended within 0.1s")
                .contains("serve", "--log-level DEBUG");
    }

    /** It kept the process for a minute more, and whatever came up then lived on without anybody. */
    @Test
    void whatComesUpAllTheSameIsClosed() {
        Terminal.CommandOutput result = serve();
        assertThat(result.exitCode()).isEqualTo(7);

        ClosingRoot late = new ClosingRoot();
        start.complete(late);

        assertThat(late.isClosed()).isTrue();
    }

    @Test
    void aNodeThatWaitsForOneOfItsNameHasMinutes() {
        RootStarter real = EmbeddedRoot::start;

        assertThat(real.limit()).isEqualTo(Duration.ofMinutes(15));
    }
}
