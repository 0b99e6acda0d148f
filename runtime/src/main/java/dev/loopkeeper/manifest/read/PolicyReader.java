package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.policy.Cap;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Pool;
import dev.loopkeeper.policy.Price;
import dev.loopkeeper.policy.Window;
import dev.loopkeeper.step.Wording;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Reads policies strictly, as {@link ManifestReader} reads manifests. */
public final class PolicyReader {
    static final List<String> KEYS = List.of("pools", "caps", "prices", "schedules");
    static final List<String> POOL_KEYS = List.of("places", "programs");
    static final List<String> CAP_KEYS = List.of("name", "costUsd", "tokens", "per", "zone", "match", "warnAt");
    static final List<String> MATCH_KEYS = List.of("name", "workspace");
    static final List<String> PRICE_KEYS =
            List.of("model", "inputPerMTok", "cachedInputPerMTok", "cacheWritePerMTok", "outputPerMTok", "asOf");

    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final int MAX_PLACES = 10_000;
    private static final DocumentNode.Range PRICE = DocumentNode.Range.from(0, Double.MAX_VALUE);

    private PolicyReader() {}

    /** Reads the text of a policy, in YAML or JSON. Never throws. */
    public static PolicyReading read(String text) {
        DocumentReading reading = ManifestText.parse(text);
        if (reading instanceof DocumentReading.Unreadable unreadable) {
            return new PolicyReading.Invalid(List.of(unreadable.problem()));
        }
        DocumentReading.Parsed parsed = (DocumentReading.Parsed) reading;
        return read(parsed.document(), parsed.sources());
    }

    /** Returns the policy or all its problems; the policy of an empty document is {@link Policy#NONE}. Never throws. */
    public static PolicyReading read(JsonNode document, SourceMap sources) {
        if (document.isNull()) {
            return new PolicyReading.Valid(Policy.NONE, Json.MAPPER.createObjectNode());
        }
        Problems problems = new Problems();
        DocumentNode root = new DocumentNode(document, Place.root(sources), problems);
        Policy policy = Fields.of(root, KEYS).map(PolicyReader::policy).orElse(Policy.NONE);
        return problems.isEmpty()
                ? new PolicyReading.Valid(policy, document)
                : new PolicyReading.Invalid(problems.inDocumentOrder());
    }

    private static Policy policy(Fields fields) {
        return new Policy(
                fields.at("pools").map(PolicyReader::pools).orElse(List.of()),
                fields.at("caps").map(PolicyReader::caps).orElse(List.of()),
                fields.at("prices").map(PolicyReader::prices).orElse(List.of()),
                fields.at("schedules").map(SchedulesReader::read).orElse(List.of()));
    }

    private static List<Pool> pools(DocumentNode node) {
        List<Pool> pools = new ArrayList<>();
        Map<String, String> poolOf = new HashMap<>();
        node.entries().forEach((name, value) -> {
            value.requireName("a pool's", name);
            Fields.of(value, POOL_KEYS).ifPresent(fields -> pools.add(pool(name, fields, poolOf)));
        });
        return pools;
    }

    private static Pool pool(String name, Fields fields, Map<String, String> poolOf) {
        OptionalInt places = fields.at("places").flatMap(node -> node.whole(1, MAX_PLACES)).stream()
                .mapToInt(Long::intValue)
                .findFirst();
        List<DocumentNode> programs =
                fields.at("programs").map(DocumentNode::elements).orElse(List.of());
        return new Pool(
                name,
                places,
                programs.stream()
                        .flatMap(node -> program(node, name, poolOf).stream())
                        .toList());
    }

    private static Optional<String> program(DocumentNode node, String pool, Map<String, String> poolOf) {
        Optional<String> program = node.text(
                text -> text.indexOf('/') < 0,
                text -> "expected the base name of a program, e.g. claude, found " + Wording.quoted(text));
        program.map(name -> poolOf.put(name, pool))
                .ifPresent(other -> node.wrong(
                        program.get() + " is in the pool " + other + " already; a program belongs to one pool"));
        return program;
    }

    private static List<Cap> caps(DocumentNode list) {
        Set<String> names = new HashSet<>();
        return Fields.each(list, CAP_KEYS).map(fields -> cap(fields, names)).toList();
    }

    private static Cap cap(Fields fields, Set<String> names) {
        if (!fields.has("costUsd") && !fields.has("tokens")) {
            fields.map().wrong("expected costUsd, tokens or both");
        }
        return new Cap(
                name(fields, "name", "name the cap", names),
                fields.at("costUsd").flatMap(node -> node.number(BudgetReader.POSITIVE)).stream()
                        .mapToDouble(Double::doubleValue)
                        .findFirst(),
                BudgetReader.count(fields, "tokens"),
                fields.required("per", "choose hour, day, week or month")
                        .flatMap(node -> node.choice(Choices.WINDOW))
                        .orElse(Window.DAY),
                zone(fields),
                fields.at("match")
                        .flatMap(node -> Fields.of(node, MATCH_KEYS))
                        .map(match -> new Cap.Match(match.text("name"), match.text("workspace")))
                        .orElse(Cap.Match.ALL),
                fields.number("warnAt", BudgetReader.WARNING, Cap.DEFAULT_WARN_AT));
    }

    /** Reads a name that no other element of the list has. */
    static String name(Fields fields, String key, String remedy, Set<String> names) {
        Optional<DocumentNode> node = fields.required(key, remedy);
        Optional<String> name = node.flatMap(DocumentNode::name);
        unique(node, name, names);
        return name.orElse("");
    }

    private static void unique(Optional<DocumentNode> node, Optional<String> name, Set<String> names) {
        name.filter(text -> !names.add(text))
                .ifPresent(text -> node.orElseThrow().wrong(Wording.quoted(text) + " is used twice; choose another"));
    }

    /** Reads the time zone of calendar and clock; UTC when absent. */
    static ZoneId zone(Fields fields) {
        return fields.at("zone").flatMap(PolicyReader::zone).orElse(UTC);
    }

    private static Optional<ZoneId> zone(DocumentNode node) {
        Optional<String> text = node.text();
        try {
            return text.map(ZoneId::of);
        } catch (DateTimeException unknown) {
            node.wrong(
                    "expected a time zone such as UTC or Europe/Berlin, found " + Wording.quoted(text.orElseThrow()),
                    NearestName.of(text.orElseThrow(), ZoneId.getAvailableZoneIds()));
            return Optional.empty();
        }
    }

    private static List<Price> prices(DocumentNode list) {
        Set<String> models = new HashSet<>();
        return Fields.each(list, PRICE_KEYS)
                .map(fields -> price(fields, models))
                .toList();
    }

    private static Price price(Fields fields, Set<String> models) {
        Optional<DocumentNode> node = fields.required("model", "name the model, or a glob such as gpt-5*");
        Optional<String> model = node.flatMap(DocumentNode::text);
        unique(node, model, models);
        double input = perMTok(fields, "inputPerMTok");
        return new Price(
                model.orElse(""),
                input,
                fields.number("cachedInputPerMTok", PRICE, input),
                fields.number("cacheWritePerMTok", PRICE, input),
                perMTok(fields, "outputPerMTok"),
                fields.at("asOf").flatMap(PolicyReader::date));
    }

    private static double perMTok(Fields fields, String key) {
        return fields.required(key, "give the price of a million tokens in US dollars")
                .flatMap(node -> node.number(PRICE))
                .orElse(0.0);
    }

    private static Optional<LocalDate> date(DocumentNode node) {
        Optional<String> text = node.text();
        try {
            return text.map(LocalDate::parse);
        } catch (DateTimeException wrong) {
            return node.expected("a date such as 2026-11-01");
        }
    }
}
