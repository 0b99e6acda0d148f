package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.manifest.read.ManifestText;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.ResumeNeed;
import dev.loopkeeper.termination.StandardReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What the documents name is there: files, headings, subcommands, options, keys, reasons and endings. */
class DocumentsTest {
    private static final Path TOP = Path.of("../..");
    private static final Pattern FENCE = Pattern.compile("(?ms)^```([a-z]*)\n(.*?)^```");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
    private static final Pattern COMMAND =
            Pattern.compile("(?m)(?:^|[`&|;(] *|^[$#] )(?:\\./)?loopkeeper ([^`\n&|;)<>]*)");

    private final CommandLine model = new CommandRunner(
                    new Terminal(Path.of("/nowhere")).console(System.out, System.err), EmbeddedRoot::start)
            .commandLine();

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (String folder : List.of("docs", ".github")) {
            try (Stream<Path> files = Files.walk(TOP.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        documents.add(TOP.resolve("README.md"));
        documents.add(TOP.resolve("CHANGELOG.md"));
        return documents;
    }

    private static String prose(String text) {
        return FENCE.matcher(text).replaceAll("");
    }

    /** As GitHub names them. */
    private static Set<String> anchors(Path document) throws IOException {
        return HEADING.matcher(prose(Files.readString(document)))
                .results()
                .map(found -> found.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        Set<String> broken = new TreeSet<>();
        for (Path document : documents()) {
            Matcher links = LINK.matcher(prose(Files.readString(document)).replaceAll("`[^`]*`", ""));
            while (links.find()) {
                String link = links.group(1);
                if (!link.contains("://") && !link.startsWith("mailto:") && !leads(document, link)) {
                    broken.add(TOP.relativize(document) + " -> " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static boolean leads(Path document, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
        return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
    }

    @Test
    void everyDocumentIsInTheIndex() throws IOException {
        for (Path folder : List.of(TOP.resolve("docs"), TOP.resolve("docs/decisions"))) {
            String index = Files.readString(folder.resolve("README.md"));
            try (Stream<Path> files = Files.list(folder)) {
                for (String name : files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
                        .toList()) {
                    assertThat(index).contains("(" + name);
                }
            }
        }
    }

    @Test
    void everyCommandHasACommandAndOptionsThatThereAre() throws IOException {
        Set<String> wrong = new TreeSet<>();
        int found = 0;
        for (Path document : documents()) {
            Matcher commands = COMMAND.matcher(Files.readString(document));
            while (commands.find()) {
                List<String> words = List.of(commands.group(1).strip().split("\\s+"));
                String problem = problem(words);
                found++;
                if (!problem.isEmpty()) {
                    wrong.add(TOP.relativize(document) + ": loopkeeper " + commands.group(1) + ": " + problem);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(found).isGreaterThan(50);
    }

    /** Empty where there is none; capitals stand for what a reader fills in. */
    private String problem(List<String> words) {
        CommandLine subcommand = model;
        for (String word : words) {
            if (word.startsWith("-") && word.length() > 1) {
                String option = word.replaceFirst("=.*", "").replaceAll("[^a-zA-Z-]+$", "");
                if (!knows(subcommand, option) && !knows(model, option)) {
                    return "no option " + option;
                }
            } else if (subcommand == model
                    && word.matches("[a-z-]+")
                    && model.getSubcommands().containsKey(word)) {
                subcommand = model.getSubcommands().get(word);
            } else if (subcommand == model && word.matches("[a-z]+") && words.indexOf(word) == 0) {
                return "no subcommand " + word;
            }
        }
        return "";
    }

    private static boolean knows(CommandLine command, String option) {
        return command.getCommandSpec().options().stream()
                .map(OptionSpec::names)
                .flatMap(Stream::of)
                .anyMatch(option::equals);
    }

    @Test
    void everyWholeManifestIsValid() throws IOException {
        int found = 0;
        for (Path document : documents()) {
            Matcher fences = FENCE.matcher(Files.readString(document));
            while (fences.find()) {
                String text = fences.group(2);
                if (fences.group(1).equals("yaml") && text.startsWith("name:") && text.contains("\nphases:")) {
                    found++;
                    DocumentReading.Parsed parsed = (DocumentReading.Parsed) ManifestText.parse(text);
                    ManifestReading reading = ManifestReader.read(parsed.document(), parsed.sources());
                    assertThat(reading).as(document + "\n" + text).isInstanceOf(ManifestReading.Valid.class);
                }
            }
        }
        assertThat(found).isGreaterThan(5);
    }

    private static List<List<String>> rows(String section) throws IOException {
        String text = Files.readString(TOP.resolve("docs/what-now.md"));
        int begin = text.indexOf("\n## " + section + "\n");
        int end = text.indexOf("\n## ", begin + 1);
        return text.substring(begin, end)
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> Stream.of(line.substring(1).split("\\|"))
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList())
                .toList();
    }

    @Test
    void everyPauseIsDocumentedWithItsActions() throws IOException {
        List<List<String>> rows = rows("It is paused");
        assertThat(rows.stream().map(row -> row.get(0))).isEqualTo(WireName.all(PauseReason.class));
        Iterator<List<String>> next = rows.iterator();
        for (PauseReason reason : PauseReason.values()) {
            List<String> row = next.next();
            assertThat(row.get(3))
                    .as(reason.wire())
                    .isEqualTo(reason.allowedActions().stream()
                            .map(ResumeAction::wire)
                            .collect(Collectors.joining(", ")));
            assertThat(row.get(1)).isNotBlank();
            assertThat(row.get(2)).isNotBlank();
        }
    }

    @Test
    void everyEndingIsDocumentedAsInTheTable() throws IOException {
        List<List<String>> rows = rows("It has ended");
        assertThat(rows).hasSize(StandardReason.values().length);
        Iterator<List<String>> next = rows.iterator();
        for (StandardReason reason : StandardReason.values()) {
            List<String> row = next.next();
            assertThat(List.of(row.get(0), row.get(1), row.get(2), row.get(3), row.get(5)))
                    .isEqualTo(List.of(
                            reason.subtype(),
                            reason.reasonCode().orElse(""),
                            reason.category().wire(),
                            "" + ExitCodes.of(reason.subtype(), reason.category()),
                            remedy(reason.resumeNeed())));
            assertThat(row.get(4)).as(reason.subtype()).isNotBlank();
        }
    }

    private static String remedy(ResumeNeed need) {
        return switch (need) {
            case NEVER -> "nothing is left to resume";
            case NONE -> "loopkeeper resume RUN";
            case ITERATIONS_OR_FEEDBACK -> "loopkeeper resume RUN" + " --max-iterations N, or with --feedback TEXT";
            case BUDGET ->
                "loopkeeper resume RUN"
                        + " --budget-usd N, or --budget-tokens, --budget-turns, --budget-time: the cap that was reached, above what is spent";
            case ATTEMPTS_OR_RESET_ITEMS -> "loopkeeper resume RUN" + " --max-attempts N, or with --reset-items ID";
            case THRESHOLD_OR_RESET_STATISTICS ->
                "loopkeeper resume RUN" + " --reset-statistics, or with a higher threshold, such as --max-reject-rate";
            case FEEDBACK -> "loopkeeper resume RUN" + " --feedback TEXT";
            case FEEDBACK_OR_MANIFEST -> "loopkeeper resume RUN" + " --feedback TEXT, or with --manifest FILE";
            case MANIFEST -> "loopkeeper resume RUN" + " --manifest FILE";
            case RESET_BLOCKING_ITEMS -> "loopkeeper resume RUN" + " --reset-items ID with the items that failed";
            case ACKNOWLEDGE -> "loopkeeper resume RUN" + " --acknowledge";
        };
    }
}
