package dev.loopkeeper.contract.process;

import dev.loopkeeper.manifest.SandboxSpec;
import java.util.Optional;

/** The same with each agent in a sandbox. */
class SandboxedStopTest extends StopTest {
    @Override
    protected Optional<SandboxSpec> sandbox() {
        return usualSandbox();
    }
}
