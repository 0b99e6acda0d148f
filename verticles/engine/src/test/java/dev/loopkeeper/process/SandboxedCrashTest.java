package dev.loopkeeper.process;

import dev.loopkeeper.manifest.SandboxSpec;
import java.util.Optional;

/** The same with each agent in a sandbox. */
class SandboxedCrashTest extends CrashTest {
    @Override
    protected Optional<SandboxSpec> sandbox() {
        return usualSandbox();
    }
}
