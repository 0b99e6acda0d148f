package dev.loopkeeper.scheduler;

import java.util.List;

/** Runs the effects of one decision. An effect that throws does not prevent the others. */
final class Effects {
    private Effects() {}

    /** Runs all effects in order, then throws the first failure with the others suppressed in it. */
    static void runAll(List<Runnable> effects) {
        RuntimeException first = null;
        for (Runnable effect : effects) {
            try {
                effect.run();
            } catch (RuntimeException | Error failure) {
                RuntimeException broken = new IllegalStateException("an effect broke: " + failure, failure);
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
