package dev.loopkeeper.scheduler;

import java.util.List;

/** What is to be done for one decision. One effect that breaks keeps none of the others from being carried out. */
final class Effects {
    private Effects() {}

    /** Carries all of them out, in order; throws the first flaw afterwards, with the others suppressed in it. */
    static void carryOutAll(List<Runnable> effects) {
        RuntimeException first = null;
        for (Runnable effect : effects) {
            try {
                effect.run();
            } catch (RuntimeException | Error flaw) {
                RuntimeException broken = new IllegalStateException("an effect broke: " + flaw, flaw);
                if (first == null) {
                    first = broken;
                } else {
                    first.addSuppressed(broken);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
