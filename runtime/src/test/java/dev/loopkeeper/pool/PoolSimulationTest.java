package dev.loopkeeper.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs, limits, crashes, policy changes and clears in random order. */
class PoolSimulationTest {
    private static final String SLOT = "s";
    private static final int RUNS = 6;

    private final Map<String, Instant> asked = new HashMap<>();
    private final Set<String> open = new HashSet<>();
    private PoolState pool = PoolState.EMPTY;
    private OptionalInt places = OptionalInt.of(2);
    private Instant now = Instant.ofEpochSecond(1_000_000);
    private Random random;
    private boolean lowered;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void keepsPlacesProbesAndTurns(long seed) {
        random = new Random(seed);
        for (int step = 0; step < 5_000; step++) {
            now = now.plusSeconds(random.nextInt(4));
            event("run-" + random.nextInt(RUNS));
            check();
        }
        finish();
    }

    private void event(String runId) {
        int dice = random.nextInt(100);
        if (dice < 30 && !open.contains(runId)) {
            asked.putIfAbsent(runId, now);
            claims(runId);
        } else if (dice < 45) {
            launch(runId);
        } else if (dice < 65) {
            end(runId, random.nextInt(4) == 0);
        } else if (dice < 72) {
            served(runId);
        } else if (dice < 76) {
            crash();
        } else if (dice < 79) {
            input(new PoolInput.Left(now, leave(runId)));
        } else if (dice < 81) {
            input(new PoolInput.Cleared(now));
        } else if (dice < 83) {
            places = random.nextInt(5) == 0 ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(4));
            lowered = places.isPresent();
        } else {
            nextChange().filter(time -> random.nextBoolean()).ifPresent(time -> now = time);
            input(new PoolInput.Due(now));
        }
    }

    private void launch(String runId) {
        if (asked.containsKey(runId) && pool.isGranted(runId, SLOT)) {
            asked.remove(runId);
            open.add(runId);
            claims(runId);
        }
    }

    private void served(String runId) {
        if (open.contains(runId)) {
            input(new PoolInput.Served(now, runId, SLOT));
        }
    }

    private void end(String runId, boolean limited) {
        if (open.contains(runId)) {
            if (limited) {
                Instant until = now.plusSeconds(random.nextInt(300));
                Optional<Instant> returnsAt =
                        Optional.of(until.plusSeconds(random.nextInt(10))).filter(time -> random.nextBoolean());
                input(new PoolInput.Limit(now, runId, "step", until, "limit", returnsAt));
            } else if (random.nextBoolean()) {
                served(runId);
            }
            open.remove(runId);
            claims(runId);
        }
    }

    private String leave(String runId) {
        asked.remove(runId);
        open.remove(runId);
        return runId;
    }

    /** A restart knows the open steps and what waits; it repeats everything. */
    private void crash() {
        IntStream.range(0, RUNS).forEach(number -> claims("run-" + number));
    }

    private void claims(String runId) {
        input(new PoolInput.Claims(
                now,
                runId,
                0,
                open.contains(runId) ? Set.of(SLOT) : Set.of(),
                asked.containsKey(runId) ? Set.of(SLOT) : Set.of()));
    }

    private void input(PoolInput input) {
        PoolState before = pool;
        pool = pool.after(input, places);
        List<PoolClaim> granted = pool.claims().values().stream()
                .filter(claim -> !claim.waits() && !before.isGranted(claim.runId(), SLOT))
                .toList();
        boolean cools = pool.coolDown().isPresent();
        assertThat(granted.size()).as("one probe").isLessThanOrEqualTo(cools ? 1 : RUNS);
        if (cools && !granted.isEmpty()) {
            assertThat(now)
                    .as("the reset")
                    .isAfterOrEqualTo(pool.coolDown().get().until());
            assertThat(pool.coolDown().get().probe()).contains(granted.get(0).key());
            assertThat(before.coolDown().flatMap(CoolDown::probe).filter(pool.claims()::containsKey))
                    .as("no probe beside another")
                    .isEmpty();
        }
        if (!cools) {
            granted.forEach(this::hadTheTurn);
        }
    }

    /** No waiting claim is older. */
    private void hadTheTurn(PoolClaim granted) {
        assertThat(pool.claims().values())
                .filteredOn(PoolClaim::waits)
                .allMatch(claim -> PoolClaim.ORDER.compare(claim, granted.withGrantedAt(Optional.empty())) > 0);
    }

    private void check() {
        int used = pool.used();
        if (!lowered) {
            assertThat(used).isLessThanOrEqualTo(places.orElse(RUNS));
        }
        lowered &= used > places.orElse(RUNS);
        assertThat(open).allMatch(runId -> pool.isGranted(runId, SLOT));
        pool = pool.after(new PoolInput.Due(now), places);
        boolean waits = !pool.waitingRuns().isEmpty();
        boolean free = pool.used() < places.orElse(Integer.MAX_VALUE);
        if (waits && free) {
            CoolDown cool = pool.coolDown().orElseThrow();
            boolean mayLaunch = !now.isBefore(cool.until()) && cool.probe().isEmpty();
            assertThat(mayLaunch && cool.returnsBy().isEmpty())
                    .as("no run waits while there is free")
                    .isFalse();
        }
    }

    /** Whatever happened, every run that waits gets its turn once the agents end well. */
    private void finish() {
        IntStream.range(0, RUNS).forEach(number -> {
            if (!open.contains("run-" + number)) {
                asked.putIfAbsent("run-" + number, now);
                claims("run-" + number);
            }
        });
        for (int turn = 0; turn < 10 * RUNS && !asked.isEmpty(); turn++) {
            nextChange().ifPresent(time -> now = time);
            input(new PoolInput.Due(now));
            List.copyOf(asked.keySet()).forEach(this::launch);
            open.stream().min(Comparator.naturalOrder()).ifPresent(runId -> {
                served(runId);
                end(runId, false);
            });
        }
        assertThat(asked).as("no run starves").isEmpty();
    }

    /** When the cool-down changes without an input. */
    private Optional<Instant> nextChange() {
        return pool.coolDown().stream()
                .flatMap(cool -> Stream.of(Optional.of(cool.until()), cool.returnsBy(), pool.probeProvenAt()))
                .flatMap(Optional::stream)
                .filter(time -> time.isAfter(now))
                .min(Comparator.naturalOrder());
    }
}
