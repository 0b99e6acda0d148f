package dev.loopkeeper.run.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ItemTableTest {
    private static final int ITEMS = 300;

    @Test
    void keepsTheSameCountsAsAFullCount() {
        Random random = new Random(1);
        Map<String, ItemWork> plain = new LinkedHashMap<>();
        for (int item = 0; item < ITEMS; item++) {
            plain.put("f" + item, ItemWork.pending("f" + item, EarlierTries.NONE));
        }
        ItemTable table = ItemTable.of(plain);
        for (int change = 0; change < 2000; change++) {
            ItemTable before = table;
            ItemWork was = table.get("f" + random.nextInt(ITEMS));
            ItemWork is = switch (random.nextInt(4)) {
                case 0 -> was.nextAttempt();
                case 1 -> was.ended(ItemStatus.APPROVED, true);
                case 2 -> was.ended(ItemStatus.FAILED, true);
                default -> was.reopened();
            };
            table = table.with(is);
            plain.put(is.id(), is);
            assertThat(before.get(is.id())).isEqualTo(was);
            check(table, plain);
        }
        assertThat(table).isEqualTo(plain);
        assertThat(table.keySet()).containsExactlyElementsOf(plain.keySet());
        check(ItemTable.of(new LinkedHashMap<>(table)), plain);
    }

    private static void check(ItemTable table, Map<String, ItemWork> plain) {
        for (ItemStatus status : ItemStatus.values()) {
            assertThat((long) table.count(status))
                    .isEqualTo(plain.values().stream()
                            .filter(item -> item.status() == status)
                            .count());
        }
        assertThat(table.running())
                .containsExactlyElementsOf(plain.values().stream()
                        .filter(item -> item.status() == ItemStatus.RUNNING)
                        .toList());
    }
}
