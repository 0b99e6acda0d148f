package dev.loopkeeper.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.site.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation as a folder of pages: what it links to is there, and a browser finds words in it from a disk. */
class SiteIT {
    private static final Path SITE = Path.of(System.getProperty("dist.site"));
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]+)\"");
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]+)\"");
    private static final Pattern ENTRY = Pattern.compile("^\\[\"[^\"]*\",\"[^\"]*\",\"([^\"]+)\",");

    @TempDir
    private Path folder;

    private static Map<String, String> files(Path site) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(site)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(site.relativize(file).toString(), new String(Files.readAllBytes(file), "ISO-8859-1"));
            }
        }
        return files;
    }

    private static Set<String> ids(String page) {
        return ID.matcher(page).results().map(found -> found.group(1)).collect(Collectors.toSet());
    }

    private static boolean leads(Map<String, String> files, String from, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? Path.of(from)
                : Path.of(from).resolveSibling(parts[0]).normalize();
        String page = files.get(target.toString());
        return page != null && (parts.length == 1 || ids(page).contains(parts[1]));
    }

    @Test
    void everyLinkOfEveryPageLeadsToAFileAndItsAnchorInTheSite() throws IOException {
        Map<String, String> files = files(SITE);
        Set<String> broken = new TreeSet<>();
        int found = 0;
        for (Map.Entry<String, String> page : files.entrySet()) {
            if (!page.getKey().endsWith(".html")) {
                continue;
            }
            Matcher links = LINK.matcher(page.getValue());
            while (links.find()) {
                found++;
                String link = links.group(1);
                if (!link.contains("://") && !link.startsWith("mailto:") && !leads(files, page.getKey(), link)) {
                    broken.add(page.getKey() + " -> " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(found).isGreaterThan(1000);
    }

    @Test
    void everyDocumentIsAPageAndEverySectionIsInTheIndexOfTheSearch() throws IOException {
        Map<String, String> files = files(SITE);
        assertThat(files)
                .containsKeys("index.html", "readme.html", "tutorial.html", "manifest.html", "contributing.html");
        Set<String> found = new TreeSet<>();
        List<String> dead = new ArrayList<>();
        for (String line : files.get("search-index.js").split("\n")) {
            Matcher entry = ENTRY.matcher(line);
            if (entry.find()) {
                found.add(entry.group(1).replaceFirst("#.*", ""));
                if (!leads(files, "index.html", entry.group(1))) {
                    dead.add(entry.group(1));
                }
            }
        }
        assertThat(dead).isEmpty();
        Set<String> pages = files.keySet().stream()
                .filter(name -> name.endsWith(".html") && !name.contains("/"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found).isEqualTo(pages);
    }

    @Test
    void theSameDocumentsGiveTheSameBytesAndNothingIsFetchedFromElsewhere() throws IOException {
        Site.main(new String[] {"../..", folder.resolve("again").toString(), System.getProperty("dist.version")});
        Map<String, String> files = files(SITE);
        assertThat(files(folder.resolve("again"))).isEqualTo(files);
        files.forEach((name, text) -> {
            if (name.endsWith(".html")) {
                assertThat(text).as(name).doesNotContainPattern("<(script|link|img)[^>]*(src|href)=\"(https?:)?//");
            }
        });
    }

    /** What a browser has made of a page of the site, from the disk. */
    private String shown(String page) throws IOException, InterruptedException {
        Process browser;
        try {
            browser = new ProcessBuilder(
                            "chromium",
                            "--headless",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-dev-shm-usage",
                            "--user-data-dir=" + folder.resolve("profile"),
                            "--dump-dom",
                            SITE.toUri() + page)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectOutput(folder.resolve("shown").toFile())
                    .start();
        } catch (IOException absent) {
            return Assumptions.abort("chromium is not installed");
        }
        try {
            assertThat(browser.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            browser.destroyForcibly().waitFor();
        }
        return Files.readString(folder.resolve("shown"));
    }

    @Test
    void aBrowserFindsWordsFromADisk() throws IOException, InterruptedException {
        assertThat(shown("index.html?q=missing_signals"))
                .contains("what-now.html#", " sections")
                .contains("<article hidden");
        assertThat(shown("files/conf/examples/index.html?q=nosuchwordanywhere")).contains("Nothing has these words.");
    }
}
