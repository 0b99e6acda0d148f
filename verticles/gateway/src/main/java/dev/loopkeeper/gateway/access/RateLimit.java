package dev.loopkeeper.gateway.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Token bucket for each client address. */
public final class RateLimit {
    private static final int SECONDS_AT_ONCE = 4;
    private static final double NANOS = 1e9;
    private static final int MOST_ADDRESSES = 10_000;

    private final double perSecond;
    private final double most;
    /** The most recent address is last. */
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

    private static final class Bucket {
        private double tokens;
        private long atNanos;
    }

    /** @param perSecond sustained requests of one address; 0 = no limit */
    public RateLimit(int perSecond) {
        this.perSecond = perSecond;
        this.most = (double) perSecond * SECONDS_AT_ONCE;
    }

    /** Takes one token. If there is none, returns after how many seconds, 1 or more, there is one. */
    public OptionalLong take(String address, long nowNanos) {
        if (perSecond == 0) {
            return OptionalLong.empty();
        }
        Bucket bucket = buckets.computeIfAbsent(address, fresh -> full(nowNanos));
        if (buckets.size() > MOST_ADDRESSES) { // evicts the least recent address
            buckets.remove(buckets.keySet().iterator().next());
        }
        fill(bucket, nowNanos);
        if (bucket.tokens < 1) {
            return OptionalLong.of((long) Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)));
        }
        bucket.tokens--;
        return OptionalLong.empty();
    }

    private Bucket full(long nowNanos) {
        Bucket bucket = new Bucket();
        bucket.tokens = most;
        bucket.atNanos = nowNanos;
        return bucket;
    }

    private void fill(Bucket bucket, long nowNanos) {
        double gained = (nowNanos - bucket.atNanos) / NANOS * perSecond;
        bucket.tokens = Math.min(most, bucket.tokens + gained);
        bucket.atNanos = nowNanos;
    }
}
