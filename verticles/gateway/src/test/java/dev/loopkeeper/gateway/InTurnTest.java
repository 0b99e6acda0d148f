package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InTurnTest {
    private final List<Promise<String>> begun = new ArrayList<>();
    private final InTurn turns = new InTurn(2);

    private Future<String> ask() {
        return turns.call(() -> {
            Promise<String> work = Promise.promise();
            begun.add(work);
            return work.future();
        });
    }

    @Test
    void noMoreThanSoMuchIsDoneAtATimeAndTheRestInOrder() {
        Future<String> first = ask();
        Future<String> second = ask();
        Future<String> third = ask();
        assertThat(begun).hasSize(2);

        begun.get(1).complete("second");
        assertThat(second.result()).isEqualTo("second");
        assertThat(begun).hasSize(3);
        begun.get(2).complete("third");
        begun.get(0).complete("first");
        assertThat(third.result()).isEqualTo("third");
        assertThat(first.result()).isEqualTo("first");
    }

    @Test
    void whatFailsOrThrowsMakesRoom() {
        List<Future<String>> asked = List.of(ask(), ask(), ask(), ask());
        begun.get(0).fail("broken");
        Future<String> thrown = turns.call(() -> {
            throw new IllegalStateException("flaw");
        });
        begun.get(1).complete();
        begun.get(2).complete();
        begun.get(3).complete();
        assertThat(asked).allMatch(Future::isComplete);
        assertThat(thrown.cause()).hasMessage("flaw");
    }
}
