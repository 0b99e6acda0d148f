package dev.loopkeeper.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class ClientEnvironmentsTest {
    private static final ClientEnvironment GIVEN =
            ClientEnvironment.of(Map.of("KEY", "account-B"), Optional.of("0077"));

    @Test
    void aRunThatStillLaunchesKeepsItsEnvironmentHoweverManyFollow(Vertx vertx) {
        ClientEnvironments environments = ClientEnvironments.in(vertx);
        environments.keep("first", GIVEN);
        for (int run = 0; run < 500; run++) {
            environments.keep("run-" + run, GIVEN);
            assertThat(environments.of("first")).contains(GIVEN);
        }
        assertThat(environments.of("run-0")).isEmpty();
    }
}
