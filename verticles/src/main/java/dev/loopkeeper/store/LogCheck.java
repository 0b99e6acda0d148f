package dev.loopkeeper.store;

/** Placeholder replaced below. */
final class LogCheck {
    LogCheck(StoreFile file) {}

    void refuseDamage() {}
}
