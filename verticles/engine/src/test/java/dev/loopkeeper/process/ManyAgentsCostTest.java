package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.StepSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the end of a step costs while many other agents live, measured by what is read of their processes. */
class ManyAgentsCostTest extends SupervisorHarness {
    private static final int MANY = 80;
    private static final int STEPS = 10;

    /** The real files; counts how often those of some processes are read. */
    private static final class CountedFiles implements SmallFiles {
        private final Set<String> counted = ConcurrentHashMap.newKeySet();
        private final AtomicInteger reads = new AtomicInteger();

        @Override
        public byte[] read(Path file) throws IOException {
            count(file.toString());
            return REAL.read(file);
        }

        @Override
        public int read(String file, byte[] beginning) throws IOException {
            count(file);
            return REAL.read(file, beginning);
        }

        private void count(String file) {
            if (counted.contains(file.substring(0, file.lastIndexOf('/')))) {
                reads.incrementAndGet();
            }
        }
    }

    /** A thousand of them must not cost each step that ends thousands of reads. */
    @Test
    void readsOnlyNewProcessesAtTheEndOfAStep() {
        CountedFiles files = new CountedFiles();
        Supervising runtime = new Supervising(SupervisorOptions.of(data), files, text -> text);
        supervisors.add(runtime);
        List<StepSpec> agents = IntStream.range(0, MANY)
                .mapToObj(agent ->
                        step().id("agent." + agent).words("sleep", "300").build())
                .toList();
        for (StepSpec agent : agents) {
            files.counted.add("/proc/" + runtime.launch(agent).pid().orElseThrow());
        }
        run(runtime, "looks.at.who.is.new");
        assertThat(files.reads.getAndSet(0)).isPositive();

        for (int step = 0; step < STEPS; step++) {
            run(runtime, "beside." + step);
        }

        assertThat(files.reads).hasValueLessThan(STEPS * MANY / 4);
        agents.forEach(runtime::stop);
        agents.forEach(runtime::exitOf);
    }

    @CanIgnoreReturnValue
    private StepSpec run(Supervising runtime, String id) {
        StepSpec step = step().id(id).words("true").build();
        runtime.launch(step);
        runtime.exitOf(step);
        return step;
    }
}
