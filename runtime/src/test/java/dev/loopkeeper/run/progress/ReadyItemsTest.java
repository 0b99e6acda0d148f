package dev.loopkeeper.run.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.ItemSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadyItemsTest {
    private static final int ITEMS = 60;
    private static final List<ItemStatus> STATUSES = List.of(ItemStatus.values());

    private static EachPhase phase(List<ItemSpec> items) {
        return new EachPhase("frames", items, Optional.empty(), List.of("dev"), 3, 2, true);
    }

    /** Each depends on some of those before it. */
    private static EachPhase random(Random random) {
        List<ItemSpec> items = new ArrayList<>();
        for (int item = 0; item < ITEMS; item++) {
            List<String> needs = item == 0
                    ? List.of()
                    : IntStream.range(0, random.nextInt(4))
                            .map(some -> random.nextInt(items.size()))
                            .distinct()
                            .mapToObj(some -> "f" + some)
                            .toList();
            items.add(new ItemSpec("f" + item, needs, Map.of()));
        }
        return phase(items);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void findsWhatALookAtEveryItemWouldFind(long seed) {
        Random random = new Random(seed);
        EachPhase phase = random(random);
        EachWork work = EachWork.begin(phase, 3, Optional.empty());
        check(work, phase);
        for (int change = 0; change < 1000; change++) {
            ItemWork was = work.item("f" + random.nextInt(ITEMS));
            ItemStatus status = STATUSES.get(random.nextInt(STATUSES.size()));
            work = work.with(was.ended(status, true));
            check(work, phase);
        }
        check(new EachWork(new LinkedHashMap<>(work.items()), 3), phase);
    }

    private static void check(EachWork work, EachPhase phase) {
        assertThat(work.nextPending(phase, true)).isEqualTo(plainly(work, phase, true));
        assertThat(work.nextPending(phase, false)).isEqualTo(plainly(work, phase, false));
    }

    private static Optional<ItemSpec> plainly(EachWork work, EachPhase phase, boolean mayBegin) {
        return phase.items().stream()
                .filter(spec -> work.item(spec.id()).status() == ItemStatus.PENDING)
                .filter(spec -> work.dependencyLost(spec)
                        || (mayBegin
                                && spec.dependsOn().stream()
                                        .allMatch(id -> work.item(id).status() == ItemStatus.APPROVED)))
                .findFirst();
    }

    @Test
    void anItemIsFoundByItsName() {
        EachPhase phase = random(new Random(1));

        assertThat(EachWork.begin(phase, 3, Optional.empty()).spec(phase, "f17"))
                .isEqualTo(phase.items().get(17));
    }
}
