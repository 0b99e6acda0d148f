package dev.loopkeeper.manifest.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.policy.Cap;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Pool;
import dev.loopkeeper.policy.Price;
import dev.loopkeeper.policy.Schedule;
import dev.loopkeeper.policy.Window;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies are read as strictly as manifests. */
class PolicyReaderTest {
    private static final String SAMPLE = """
            pools:
              claude-max: {places: 3, programs: [claude]}
              codex: {}
            caps:
              - {name: night, costUsd: 40, tokens: 5000000, per: day, zone: Europe/Berlin, match: {name: "fix-*", workspace: "/srv/**"}}
              - {name: all, tokens: 1, per: month, warnAt: 0.5}
            prices:
              - {model: "gpt-5*", inputPerMTok: 1.25, cachedInputPerMTok: 0.125, cacheWritePerMTok: 0, outputPerMTok: 10, asOf: 2026-11-01}
              - {model: mine, inputPerMTok: 2, outputPerMTok: 4}
            schedules:
              - {name: nightly, cron: "0 2 * * 1-5", zone: Europe/Berlin, manifest: /srv/p/loopkeeper.yaml, overlap: queue, missed: once, enabled: false, workspace: /srv/p, vars: {shot: 7}}
              - {name: pushed, manifest: /srv/p/l.yaml, hook: {secretEnv: HOOK_SECRET, match: {/ref: refs/heads/main}, vars: {SHA: /after}}}
            """;

    private static Policy valid(String text) {
        PolicyReading reading = PolicyReader.read(text);
        assertThat(reading).isInstanceOf(PolicyReading.Valid.class);
        return ((PolicyReading.Valid) reading).policy();
    }

    private static List<String> problems(String text) {
        return ((PolicyReading.Invalid) PolicyReader.read(text))
                .problems().stream().map(problem -> problem.text("p.yaml")).toList();
    }

    @Test
    void readsEachPart() {
        Policy policy = valid(SAMPLE);

        assertThat(policy.pools())
                .containsExactly(
                        new Pool("claude-max", OptionalInt.of(3), List.of("claude")),
                        new Pool("codex", OptionalInt.empty(), List.of()));
        assertThat(policy.caps())
                .containsExactly(
                        new Cap(
                                "night",
                                OptionalDouble.of(40),
                                OptionalLong.of(5_000_000),
                                Window.DAY,
                                ZoneId.of("Europe/Berlin"),
                                new Cap.Match(Optional.of("fix-*"), Optional.of("/srv/**")),
                                0.8),
                        new Cap(
                                "all",
                                OptionalDouble.empty(),
                                OptionalLong.of(1),
                                Window.MONTH,
                                ZoneId.of("UTC"),
                                Cap.Match.ALL,
                                0.5));
        assertThat(policy.prices())
                .containsExactly(
                        new Price("gpt-5*", 1.25, 0.125, 0, 10, Optional.of(LocalDate.of(2026, 11, 1))),
                        new Price("mine", 2, 2, 2, 4, Optional.empty()));
        assertThat(policy.schedules())
                .containsExactly(
                        new Schedule(
                                "nightly",
                                Optional.of("0 2 * * 1-5"),
                                ZoneId.of("Europe/Berlin"),
                                "/srv/p/loopkeeper.yaml",
                                Optional.of("/srv/p"),
                                Map.of("shot", "7"),
                                Schedule.Overlap.QUEUE,
                                Schedule.Missed.ONCE,
                                false,
                                Optional.empty()),
                        new Schedule(
                                "pushed",
                                Optional.empty(),
                                ZoneId.of("UTC"),
                                "/srv/p/l.yaml",
                                Optional.empty(),
                                Map.of(),
                                Schedule.Overlap.SKIP,
                                Schedule.Missed.SKIP,
                                true,
                                Optional.of(new Schedule.Hook(
                                        "HOOK_SECRET", Map.of("/ref", "refs/heads/main"), Map.of("SHA", "/after")))));
    }

    @Test
    void theDocumentAsJsonIsTheSamePolicy() {
        String json =
                ((PolicyReading.Valid) PolicyReader.read(SAMPLE)).document().toString();

        assertThat(valid(json)).isEqualTo(valid(SAMPLE));
        assertThat(((PolicyReading.Valid) PolicyReader.read(json)).document()).hasToString(json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing yet\n", "{}", "null", "pools:\ncaps: []\n"})
    void aDocumentWithoutPartsIsNoPolicy(String text) {
        assertThat(valid(text)).isEqualTo(Policy.NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            pool: {}                                               | p.yaml:1:1: pool: unknown key "pool"; known here: pools, caps, prices, schedules (did you mean pools?)
            pools: {a: {place: 3}}                                 | p.yaml:1:13: pools.a.place: unknown key "place"; known here: places, programs (did you mean places?)
            pools: {a: {places: 0}}                                | p.yaml:1:21: pools.a.places: expected a whole number from 1 to 10000
            pools: {"a b": {}}                                     | a pool's name has letters
            pools: {a: {programs: [x]}, b: {programs: [x]}}        | p.yaml:1:44: pools.b.programs[0]: x is in the pool a already; a program belongs to one pool
            pools: {a: {programs: [/bin/x]}}                       | expected the base name of a program, e.g. claude, found "/bin/x"
            pools: [a]                                             | pools: expected a map, found a list
            caps: [{name: a, per: day}]                            | caps[0]: expected costUsd, tokens or both
            caps: [{name: a, per: dya, tokens: 1}]                 | expected one of hour, day, week, month, found "dya" (did you mean day?)
            caps: [{name: a, per: day, costUsd: 0}]                | expected a number above 0
            caps: [{name: a, per: day, tokens: 1, zone: Europe/Berln}] | expected a time zone such as UTC or Europe/Berlin, found "Europe/Berln" (did you mean Europe/Berlin?)
            caps: [{name: a, per: day, tokens: 1, match: {nme: x}}] | caps[0].match.nme: unknown key
            caps: [{name: a, per: day, tokens: 1}, {name: a, per: day, tokens: 2}] | caps[1].name: "a" is used twice; choose another
            prices: [{model: m, inputPerMTok: 1}]                  | prices[0].outputPerMTok: outputPerMTok is missing
            prices: [{model: m, inputPerMTok: -1, outputPerMTok: 1}] | expected a number 0 or more
            prices: [{model: m, inputPerMTok: 1, outputPerMTok: 1, asOf: today}] | expected a date such as 2026-11-01
            prices: [{model: m, inputPerMTok: 1, outputPerMTok: 1}, {model: m, inputPerMTok: 1, outputPerMTok: 1}] | prices[1].model: "m" is used twice
            schedules: [{name: a, manifest: /m}]                   | schedules[0]: expected cron, hook or both
            schedules: [{name: a, cron: "@daily", manifest: m}]    | expected an absolute path, found "m"
            schedules: [{name: a, cron: "@daily", manifest: /m, overlap: skp}] | (did you mean skip?)
            schedules: [{name: a, cron: "0 0 30 2 *", manifest: /m}] | never fires
            schedules: [{name: a, cron: "@dayly", manifest: /m}]     | (did you mean @daily?)
            schedules: [{name: a, cron: "61 * * * *", manifest: /m}] | is not a cron expression: minute
            schedules: [{name: a, manifest: /m, hook: {}}]         | schedules[0].hook.secretEnv: secretEnv is missing
            schedules: [{name: a, manifest: /m, hook: {secretEnv: S, match: {ref: x}}}] | expected a JSON pointer such as /ref, found "ref"
            """)
    void namesWhatIsWrongAndWhere(String text, String problem) {
        assertThat(problems(text)).singleElement().asString().contains(problem);
    }

    @Test
    void aTextThatIsNoDocumentHasItsPosition() {
        assertThat(problems("pools: {\n")).singleElement().asString().startsWith("p.yaml:");
        assertThat(PolicyReader.read(Json.MAPPER.createArrayNode(), SourceMap.unknown()))
                .isInstanceOf(PolicyReading.Invalid.class);
    }
}
