package dev.loopkeeper.pool;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The state of one pool. Only {@link #after} changes it.
 *
 * @param claims by {@link PoolClaim#key}
 */
@RecordBuilder
public record PoolState(
        Map<String, PoolClaim> claims,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<CoolDown> coolDown) implements PoolStateBuilder.With {
    /** A pool that no run uses. */
    public static final PoolState EMPTY = new PoolState(Map.of(), Optional.empty());

    /** How long a probe must live to prove that the provider serves again. */
    static final Duration PROOF = Duration.ofSeconds(60);
    /** How long the probe waits for the run that met the limit, after the reset. */
    static final Duration GRACE = Duration.ofSeconds(5);

    /**
     * Returns the state after this input, with every place given that may be given.
     *
     * @param places agents that may live at once; absent: no limit
     */
    public PoolState after(PoolInput input, OptionalInt places) {
        return apply(input).proven(input.at()).granting(places, input.at());
    }

    private PoolState apply(PoolInput input) {
        if (input instanceof PoolInput.Claims claimed) {
            return claimed(claimed);
        } else if (input instanceof PoolInput.Limit limit) {
            return limited(limit);
        } else if (input instanceof PoolInput.Served served) {
            return isProbe(PoolClaim.keyOf(served.runId(), served.slot())) ? probed(served.at()) : this;
        } else if (input instanceof PoolInput.Left left) {
            return claimed(new PoolInput.Claims(left.at(), left.runId(), 0, Set.of(), Set.of()))
                    .withCoolDown(coolDown.map(
                            cool -> cool.runId().equals(left.runId()) ? cool.withReturnsBy(Optional.empty()) : cool));
        }
        return input instanceof PoolInput.Cleared ? withCoolDown(Optional.empty()) : this;
    }

    private PoolState claimed(PoolInput.Claims input) {
        Map<String, PoolClaim> kept = new LinkedHashMap<>(claims);
        kept.values()
                .removeIf(claim -> claim.runId().equals(input.runId())
                        && !input.open().contains(claim.slot())
                        && !input.asked().contains(claim.slot()));
        Stream.concat(input.open().stream(), input.asked().stream().sorted()).forEach(slot -> {
            PoolClaim claim = kept.getOrDefault(
                    PoolClaim.keyOf(input.runId(), slot),
                    new PoolClaim(input.runId(), slot, 0, input.at(), Optional.empty()));
            Optional<Instant> granted = claim.grantedAt()
                    .or(() -> Optional.of(input.at()).filter(at -> input.open().contains(slot)));
            kept.put(claim.key(), claim.withPriority(input.priority()).withGrantedAt(granted));
        });
        Optional<CoolDown> cool = coolDown.map(before ->
                before.probe().filter(kept::containsKey).isPresent() ? before : before.withProbe(Optional.empty()));
        return new PoolState(Map.copyOf(kept), cool);
    }

    /** The latest known time counts. */
    private PoolState limited(PoolInput.Limit limit) {
        Instant known =
                coolDown.map(CoolDown::until).filter(limit.at()::isBefore).orElse(limit.at());
        if (!limit.until().isAfter(known)) {
            return this;
        }
        Instant latest = limit.until().plus(GRACE);
        Optional<Instant> returnsBy =
                limit.returnsAt().filter(time -> !time.isAfter(latest)).map(time -> latest);
        return withCoolDown(Optional.of(new CoolDown(
                limit.until(),
                limit.reason(),
                limit.at(),
                limit.runId(),
                limit.stepId(),
                returnsBy,
                coolDown.flatMap(CoolDown::probe))));
    }

    private boolean isProbe(String key) {
        return coolDown.flatMap(CoolDown::probe).filter(key::equals).isPresent();
    }

    /** The probe is served. Before a newer reset this proves nothing, and the next launch tries. */
    private PoolState probed(Instant at) {
        return withCoolDown(
                coolDown.filter(cool -> at.isBefore(cool.until())).map(cool -> cool.withProbe(Optional.empty())));
    }

    private PoolState proven(Instant at) {
        return probeProvenAt().filter(time -> !time.isAfter(at)).isPresent() ? probed(at) : this;
    }

    Optional<Instant> probeProvenAt() {
        return coolDown.flatMap(CoolDown::probe)
                .flatMap(key -> Optional.ofNullable(claims.get(key)))
                .flatMap(PoolClaim::grantedAt)
                .map(began -> began.plus(PROOF));
    }

    private PoolState granting(OptionalInt places, Instant at) {
        int free = places.isPresent() ? places.getAsInt() - used() : claims.size();
        if (free <= 0) {
            return this;
        }
        if (coolDown.isEmpty()) {
            return granted(waiting().limit(free).toList(), at);
        }
        CoolDown cool = coolDown.get();
        if (at.isBefore(cool.until()) || cool.probe().isPresent()) {
            return this;
        }
        return waiting()
                .filter(claim -> cool.mayTry(claim, at))
                .min(Comparator.comparing(claim -> cool.isFirst(claim) ? 0 : 1))
                .map(claim -> granted(List.of(claim), at)
                        .withCoolDown(Optional.of(
                                cool.withProbe(Optional.of(claim.key())).withReturnsBy(Optional.empty()))))
                .orElse(this);
    }

    private PoolState granted(List<PoolClaim> next, Instant at) {
        Map<String, PoolClaim> changed = new LinkedHashMap<>(claims);
        next.forEach(claim -> changed.put(claim.key(), claim.withGrantedAt(Optional.of(at))));
        return withClaims(Map.copyOf(changed));
    }

    /** The claims that wait, next first. */
    private Stream<PoolClaim> waiting() {
        return claims.values().stream().filter(PoolClaim::waits).sorted(PoolClaim.ORDER);
    }

    /** Whether this step has a place. */
    public boolean isGranted(String runId, String slot) {
        PoolClaim claim = claims.get(PoolClaim.keyOf(runId, slot));
        return claim != null && !claim.waits();
    }

    /** The number of places in use. */
    @JsonIgnore
    public int used() {
        return claims.size()
                - (int) claims.values().stream().filter(PoolClaim::waits).count();
    }

    /** The runs that wait, next first. */
    @JsonIgnore
    public List<String> waitingRuns() {
        return waiting().map(PoolClaim::runId).distinct().toList();
    }
}
