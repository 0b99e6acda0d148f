package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SingleFlightTest {
    /** Runs that were begun, each to be completed by the test. */
    private final List<Promise<String>> runs = new ArrayList<>();

    private final SingleFlight<String> flight = new SingleFlight<>(() -> {
        Promise<String> run = Promise.promise();
        runs.add(run);
        return run.future();
    });

    @Test
    void runsAtOnceWhenNothingIsUnderWay() {
        Future<String> first = flight.run();
        runs.get(0).complete("one");
        Future<String> second = flight.run();

        assertThat(first.result()).isEqualTo("one");
        assertThat(runs).hasSize(2);
        assertThat(second.isComplete()).isFalse();
    }

    @Test
    void runsOnceMoreForAllRequestsDuringARun() {
        flight.run();
        Future<String> asked = flight.run();
        Future<String> askedToo = flight.run();
        assertThat(runs).hasSize(1);

        runs.get(0).complete("before the questions");
        assertThat(runs).hasSize(2);
        assertThat(asked.isComplete()).isFalse();

        runs.get(1).complete("after the questions");
        assertThat(asked.result()).isEqualTo("after the questions");
        assertThat(askedToo.result()).isEqualTo("after the questions");
        assertThat(runs).hasSize(2);
        assertThat(flight.isRunning()).isFalse();
    }

    @Test
    void workThatThrowsFailsItsRunOnly() {
        List<String> outcomes = new ArrayList<>(List.of("throw", "well"));
        SingleFlight<String> throwing = new SingleFlight<>(() -> {
            String outcome = outcomes.remove(0);
            if (outcome.equals("throw")) {
                throw new IllegalStateException("flaw");
            }
            return Future.succeededFuture(outcome);
        });

        assertThat(throwing.run().cause()).hasMessage("flaw");
        assertThat(throwing.isRunning()).isFalse();
        assertThat(throwing.run().result()).isEqualTo("well");
    }

    @Test
    void aFailureReachesThoseOfItsRunAndTheNextIsMadeAllTheSame() {
        Future<String> first = flight.run();
        Future<String> second = flight.run();

        runs.get(0).fail("trouble");
        assertThat(first.cause()).hasMessage("trouble");
        assertThat(runs).hasSize(2);
        runs.get(1).complete("well");
        assertThat(second.result()).isEqualTo("well");
    }

    @Test
    void workThatRequestsItselfRunsOnceMoreAfterwards() {
        List<Integer> begun = new ArrayList<>();
        List<SingleFlight<Void>> own = new ArrayList<>();
        Supplier<Future<Void>> work = () -> {
            begun.add(begun.size());
            if (begun.size() < 3) {
                own.get(0).run();
                own.get(0).run();
                assertThat(own.get(0).isAskedAgain()).isTrue();
            }
            return Future.succeededFuture();
        };
        own.add(new SingleFlight<>(work));

        own.get(0).run();
        assertThat(begun).containsExactly(0, 1, 2);
        assertThat(own.get(0).isRunning()).isFalse();
    }

    @Test
    void aListenerMayRequestTheNextRun() {
        List<String> received = new ArrayList<>();
        flight.run().onSuccess(outcome -> {
            received.add(outcome);
            flight.run().onSuccess(received::add);
        });

        runs.get(0).complete("one");
        runs.get(1).complete("two");
        assertThat(received).containsExactly("one", "two");
    }

    @Test
    void joiningRequestsNoFurtherRun() {
        flight.join();
        Future<String> joined = flight.join();
        assertThat(flight.isAskedAgain()).isFalse();

        runs.get(0).complete("one");
        assertThat(joined.result()).isEqualTo("one");
        assertThat(runs).hasSize(1);
        flight.join();
        assertThat(runs).hasSize(2);
    }

    @Test
    void isIdleAfterTheRequestedRunToo() {
        assertThat(flight.idle().succeeded()).isTrue();
        flight.run();
        flight.run();
        Future<Void> idle = flight.idle();

        runs.get(0).fail("trouble");
        assertThat(idle.isComplete()).isFalse();
        runs.get(1).fail("trouble");
        assertThat(idle.succeeded()).isTrue();
    }

    @Test
    void closeDropsWhatWasRequestedAndWaitsForWhatIsUnderWay() {
        Future<String> underWay = flight.run();
        Future<String> dropped = flight.run();
        Future<Void> closed = flight.close();

        assertThat(dropped.cause()).isInstanceOf(CancellationException.class);
        assertThat(closed.isComplete()).isFalse();

        runs.get(0).complete("one");
        assertThat(underWay.result()).isEqualTo("one");
        assertThat(closed.succeeded()).isTrue();
        assertThat(flight.run().cause()).isInstanceOf(CancellationException.class);
        assertThat(flight.join().cause()).isInstanceOf(CancellationException.class);
        assertThat(runs).hasSize(1);
    }

    @Test
    void workMayCloseItWhileItBegins() {
        List<SingleFlight<String>> itself = new ArrayList<>();
        List<Future<Void>> closed = new ArrayList<>();
        itself.add(new SingleFlight<>(() -> {
            closed.add(itself.get(0).close());
            return Future.succeededFuture("done");
        }));

        Future<String> run = itself.get(0).run();

        assertThat(run.result()).isEqualTo("done");
        assertThat(closed)
                .singleElement()
                .satisfies(over -> assertThat(over.succeeded()).isTrue());
    }
}
