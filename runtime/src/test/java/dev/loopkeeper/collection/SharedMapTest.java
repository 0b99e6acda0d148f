package dev.loopkeeper.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharedMapTest {
    @Test
    void holdsWhatAPlainMapHoldsAndLeavesWhatItCameFrom() {
        Random random = new Random(1);
        SharedMap<Integer> map = SharedMap.of(Map.of());
        Map<String, Integer> plain = new HashMap<>();
        for (int change = 0; change < 3000; change++) {
            String key = "build." + random.nextInt(1000) + ".dev";
            SharedMap<Integer> before = map;
            Map<String, Integer> asBefore = new HashMap<>(plain);
            if (change % 100 == 99) {
                String gone = "build." + random.nextInt(10);
                map = map.without(known -> known.startsWith(gone));
                plain.keySet().removeIf(known -> known.startsWith(gone));
            } else {
                map = map.plus(key, change);
                plain.put(key, change);
            }
            if (change % 50 == 0) {
                assertThat(before).isEqualTo(asBefore);
            }
            assertThat(map.get(key)).isEqualTo(plain.get(key));
        }
        assertThat(map).isEqualTo(plain).hasSize(plain.size());
        assertThat(SharedMap.of(plain)).isEqualTo(map);
        assertThat(map.containsKey("other")).isFalse();
    }

    @Test
    void aFewStandInTheOrderInWhichTheyCame() {
        SharedMap<Integer> map = SharedMap.of(Map.<String, Integer>of())
                .plus("z", 1)
                .plus("a", 2)
                .plus("m", 3)
                .plus("z", 4);

        assertThat(map.keySet()).containsExactly("z", "a", "m");
        assertThat(map.values()).containsExactly(4, 2, 3);
    }
}
