package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.Claimant.FreeRun;
import dev.loopkeeper.ownership.LeaseState;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.ownership.Placement;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.postgres.PostgresOptions;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.store.postgres.RunOwners.OwnedRun;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a node takes, before a database that answers at once, or loses an answer. */
class RunClaimsTest {
    private static final OwnedRun MOVED = new OwnedRun("run-1", 2);
    /** Made here a moment ago: durable, and its maker has not received that yet. */
    private static final OwnedRun NEW = new OwnedRun("run-2", 1);

    private static final PostgresOptions DATABASE =
            new PostgresOptions("postgresql://nobody@127.0.0.1/none", Optional.empty(), Duration.ofSeconds(1));

    private final LeasedOwnership ownership = new LeasedOwnership("n1", LeaseTerms.DEFAULTS);
    private final List<OwnedRun> carriedOn = new ArrayList<>();
    private boolean claimed;
    private boolean losesAnswers;

    private final Vertx vertx = Vertx.vertx();

    private final RunOwners owners = new RunOwners(vertx, DATABASE) {
        @Override
        public Future<NodeSnapshot> nodes() {
            return Future.succeededFuture(new NodeSnapshot(1, List.of()));
        }

        @Override
        public Future<List<FreeRun>> free(String node, Set<String> roots, int limit) {
            FreeRun free = new FreeRun(MOVED.runId(), new Placement.Shared("/srv/work"), Instant.EPOCH);
            return Future.succeededFuture(claimed ? List.of() : List.of(free));
        }

        @Override
        public Future<List<OwnedRun>> claim(List<String> runIds, String node, long incarnation) {
            claimed = true;
            return losesAnswers
                    ? Future.failedFuture(new StoreUnavailableException("the answer was lost", null))
                    : Future.succeededFuture(List.of(MOVED));
        }

        @Override
        public Future<List<OwnedRun>> owned(String node) {
            return Future.succeededFuture(claimed ? List.of(MOVED, NEW) : List.of(NEW));
        }
    };

    private final RunClaims claims = new RunClaims(
            new ClusterOptions("n1", DATABASE, LeaseTerms.DEFAULTS, List.of(), () -> "", 0),
            Set.of("/srv/work"),
            ownership,
            owners,
            new LeaseFigures(),
            (runs, incarnation) -> {
                carriedOn.addAll(runs);
                assertThat(ownership.take(runs, incarnation)).isTrue();
                return Future.succeededFuture();
            },
            new RunClaims.Queue() {
                @Override
                public Future<List<String>> waiting() {
                    return Future.succeededFuture(List.of("run-1", "run-2"));
                }

                @Override
                public Future<List<String>> release(List<String> runIds) {
                    runIds.forEach(ownership::release);
                    return losesAnswers
                            ? Future.failedFuture(new IllegalStateException("it answers too late"))
                            : Future.succeededFuture(runIds);
                }
            });

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }

    private void live() {
        BootTime later = new BootTime(Long.MAX_VALUE / 2);
        ownership.update(new LeaseState.Live(new LeaseState.Lease(1, later, Optional.empty(), later)));
        ownership.own(List.of(), 1);
    }

    @Test
    void anUnownedRunIsContinuedOnce() {
        live();
        claims.poll();
        claims.poll();

        assertThat(carriedOn).containsExactly(MOVED);
    }

    /** Else it would be this node's for all others, and no process's for itself. */
    @Test
    void aClaimWhoseAnswerWasLostIsFoundAtTheNextLook() {
        live();
        losesAnswers = true;
        claims.poll();
        assertThat(carriedOn).isEmpty();

        claims.poll();
        claims.poll();

        assertThat(carriedOn).containsExactly(MOVED);
    }
}
