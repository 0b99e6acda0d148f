package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.step.StepSpec;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The same with each agent in a sandbox. */
class SandboxedAdoptionTest extends AdoptionTest {
    @Override
    protected Optional<SandboxSpec> sandbox() {
        return usualSandbox();
    }

    /** Only the native launcher can enforce a sandbox. */
    @Test
    @Override
    void theNativeLauncherAdoptsAnAgentOfTheScript() {
        StepSpec step = step().shell("true").build();
        System.setProperty("loopkeeper.launcher", "script");
        try {
            Supervising runtime = supervisor();
            runtime.launch(step);

            assertThat(runtime.exitOf(step).process().diagnostic().orElseThrow())
                    .contains("it requires the native launcher");
        } finally {
            System.clearProperty("loopkeeper.launcher");
        }
    }
}
