package dev.loopkeeper.ownership;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What goes wrong in one schedule. Faults of the same victim follow each other, since two of them at once are not covered
 * by the protocol: of runtime and warden one works, or both are dead, or the machine stands still as a whole.
 */
final class FaultPlan {
    static final int NODES = 3;
    private static final long FIRST = 3_000;
    private static final int SPAN = 12_000;
    private static final long BETWEEN = 3_000;

    private FaultPlan() {}

    static List<Fault> random(SplittableRandom random) {
        List<Fault> faults = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        while (faults.size() < count) {
            Fault fault = one(random, FIRST + random.nextInt(SPAN));
            if (faults.stream().noneMatch(other -> tooClose(fault, other))) {
                faults.add(fault);
                follow(random, fault, faults);
            }
        }
        return faults;
    }

    private static Fault one(SplittableRandom random, long at) {
        Fault.Kind[] kinds = Fault.Kind.values();
        return new Fault(kinds[random.nextInt(kinds.length)], random.nextInt(NODES), at, at + length(random));
    }

    /** From 50 ms to 14 s: every other one long enough that it matters, of the others short ones as often as long ones. */
    private static long length(SplittableRandom random) {
        return random.nextBoolean() ? 3_000 + random.nextInt(11_000) : (long) (50 * Math.pow(200, random.nextDouble()));
    }

    /** Random faults seldom meet; these do: a pause, and as it ends the node is cut off. */
    private static void follow(SplittableRandom random, Fault fault, List<Fault> faults) {
        if (fault.kind().name().startsWith("PAUSE") && random.nextInt(3) == 0) {
            long at = fault.at() + random.nextLong(fault.until() - fault.at() + 1);
            Fault cut = new Fault(Fault.Kind.CUT, fault.node(), at, at + length(random));
            if (faults.stream().noneMatch(other -> tooClose(cut, other))) {
                faults.add(cut);
            }
        }
    }

    private static boolean tooClose(Fault one, Fault other) {
        return one.sameVictim(other) && one.at() < other.until() + BETWEEN && other.at() < one.until() + BETWEEN;
    }
}
