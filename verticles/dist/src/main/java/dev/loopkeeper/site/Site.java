package dev.loopkeeper.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes the documents as a folder of pages that a browser reads from a disk: no server, no script from elsewhere. What
 * documents link to besides each other is copied beside them. The same documents give the same bytes.
 */
public final class Site {
    private static final Pattern NAVIGATION =
            Pattern.compile("\\*\\*([^*]+)\\*\\*|\\[([^\\]]+)]\\(([^)#\\s]+\\.md)\\)");
    private static final String INDEX = "docs/README.md";

    private final Path top;
    private final Path out;
    private final String version;
    /** Documents by their path below the top, each with the name of its page. */
    private final Map<String, String> pages = new TreeMap<>();

    private final Deque<String> unread = new ArrayDeque<>();
    private final TreeSet<String> copies = new TreeSet<>();

    private Site(Path top, Path out, String version) {
        this.top = top;
        this.out = out;
        this.version = version;
    }

    /**
     * Writes the site.
     *
     * @param arguments the folder of the checkout, the folder to write into, the version
     */
    public static void main(String[] arguments) throws IOException {
        new Site(Path.of(arguments[0]).toRealPath(), Path.of(arguments[1]), arguments[2]).write();
    }

    private void write() throws IOException {
        Files.createDirectories(out);
        try (Stream<Path> documents = Files.walk(top.resolve("docs"))) {
            documents
                    .map(file -> top.relativize(file).toString())
                    .filter(name -> name.endsWith(".md"))
                    .sorted()
                    .forEach(this::page);
        }
        page("README.md");
        Map<String, Page> written = new TreeMap<>();
        while (!unread.isEmpty()) {
            String document = unread.remove();
            String markdown = Files.readString(top.resolve(document));
            written.put(document, Page.of(markdown, target -> target(document, target)));
        }
        for (Map.Entry<String, Page> each : written.entrySet()) {
            String name = pages.get(each.getKey());
            save(name, frame(name, each.getValue().title(), each.getValue().body()));
        }
        for (String copy : List.copyOf(copies)) {
            copy(copy);
        }
        save("search-index.js", index(written));
        for (String asset : List.of("site.css", "search.js")) {
            try (InputStream bytes = Site.class.getResourceAsStream(asset)) {
                save(asset, new String(bytes.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }

    private String page(String document) {
        return pages.computeIfAbsent(document, fresh -> {
            unread.add(fresh);
            if (fresh.equals(INDEX)) {
                return "index.html";
            }
            String name = fresh.replaceFirst("^docs/", "").replaceFirst("^\\.github/", "");
            return name.toLowerCase(Locale.ROOT).replace("/", "-").replaceFirst("\\.md$", "")
                    + (fresh.startsWith(".github/")
                                    && Files.exists(top.resolve("docs/" + name.toLowerCase(Locale.ROOT)))
                            ? "-report"
                            : "")
                    + ".html";
        });
    }

    /** Documents become pages, anchors stay, files and folders of the checkout are copied along. */
    private String target(String document, String target) {
        if (target.contains("://") || target.startsWith("mailto:") || target.startsWith("#")) {
            return target;
        }
        String[] parts = target.split("#", 2);
        Path file = top.resolve(document).resolveSibling(parts[0]).normalize();
        String name = top.relativize(file).toString();
        if (!file.startsWith(top) || !Files.exists(file)) {
            throw new IllegalArgumentException(document + " links to " + target + ", which is not there");
        }
        if (name.endsWith(".md")) {
            return page(name) + (parts.length == 2 ? "#" + parts[1] : "");
        }
        if (Files.isDirectory(file)) {
            copies.add(name);
            return "files/" + name + "/index.html";
        }
        copies.add(name);
        return "files/" + name;
    }

    private void copy(String name) throws IOException {
        Path file = top.resolve(name);
        if (!Files.isDirectory(file)) {
            Path copy = out.resolve("files").resolve(name);
            Files.createDirectories(copy.getParent());
            Files.write(copy, Files.readAllBytes(file));
            return;
        }
        StringBuilder list = new StringBuilder("<h1>" + escaped(name) + "</h1>\n<ul>\n");
        String up = "../".repeat((int) name.chars().filter(c -> c == '/').count() + 2);
        try (Stream<Path> files = Files.list(file)) {
            for (Path each : files.sorted().toList()) {
                String leaf = each.getFileName().toString();
                String below = name + "/" + leaf;
                if (leaf.startsWith(".") || leaf.equals("target")) {
                    continue;
                }
                String link = leaf;
                if (pages.containsKey(below)) {
                    link = up + pages.get(below);
                } else if (Files.isDirectory(each)) {
                    link = leaf + "/index.html";
                    copy(below);
                } else {
                    copy(below);
                }
                list.append("<li><a href=\"" + escaped(link) + "\">" + escaped(leaf) + "</a></li>\n");
            }
        }
        save("files/" + name + "/index.html", frame("files/" + name + "/index.html", name, list + "</ul>\n"));
    }

    private void save(String name, String text) throws IOException {
        Path file = out.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String frame(String name, String title, String body) throws IOException {
        String up = "../".repeat((int) name.chars().filter(c -> c == '/').count());
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" + escaped(title)
                + " · Loopkeeper</title>\n<link rel=\"stylesheet\" href=\"" + up + "site.css\">\n</head>\n"
                + "<body data-up=\"" + up
                + "\">\n<a class=\"skip\" href=\"#content\">To the text</a>\n<header>\n<a class=\"name\" href=\"" + up
                + "index.html\">Loopkeeper</a> <span>" + escaped(version) + "</span>\n"
                + "<label>Search <input id=\"search\" type=\"search\" autocomplete=\"off\" placeholder=\"/\"></label>\n"
                + "</header>\n<nav aria-label=\"Pages\">\n" + navigation(name, up) + "</nav>\n<main id=\"content\">\n"
                + "<section id=\"found\" aria-live=\"polite\" hidden></section>\n<article>\n" + body
                + "</article>\n</main>\n<script src=\"" + up + "search-index.js\"></script>\n<script src=\"" + up
                + "search.js\"></script>\n</body>\n</html>\n";
    }

    /** In the groups and the order in which the index of the documents names them. */
    private String navigation(String here, String up) throws IOException {
        Map<String, StringBuilder> groups = new LinkedHashMap<>();
        TreeSet<String> named = new TreeSet<>();
        String group = "";
        Matcher found = NAVIGATION.matcher(Files.readString(top.resolve(INDEX)));
        while (found.find()) {
            if (found.group(1) != null) {
                group = found.group(1);
                continue;
            }
            String document = top.relativize(
                            top.resolve(INDEX).resolveSibling(found.group(3)).normalize())
                    .toString();
            if (named.add(document)) {
                groups.computeIfAbsent(group, fresh -> new StringBuilder())
                        .append(entry(found.group(2), pages.get(document), here, up));
            }
        }
        StringBuilder text =
                new StringBuilder("<ul>\n" + entry("What it is", pages.get("README.md"), here, up) + "</ul>\n");
        groups.forEach((name, entries) -> text.append("<h2>")
                .append(escaped(name))
                .append("</h2>\n<ul>\n")
                .append(entries)
                .append("</ul>\n"));
        return text.toString();
    }

    private static String entry(String label, String page, String here, String up) {
        String text = Character.toUpperCase(label.charAt(0)) + label.substring(1);
        return "<li><a href=\"" + up + page + "\"" + (page.equals(here) ? " aria-current=\"page\"" : "") + ">"
                + escaped(text) + "</a></li>\n";
    }

    /** A script, since a browser reads no data from a disk; one line for each section. */
    private String index(Map<String, Page> written) {
        StringBuilder text = new StringBuilder("window.SEARCH = [\n");
        written.forEach((document, page) -> page.sections()
                .forEach(section -> text.append('[')
                        .append(quoted(page.title()))
                        .append(',')
                        .append(quoted(section.heading()))
                        .append(',')
                        .append(quoted(
                                pages.get(document) + (section.anchor().isEmpty() ? "" : "#" + section.anchor())))
                        .append(',')
                        .append(quoted(section.text()))
                        .append("],\n")));
        return text.append("];\n").toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (c < ' ' || c == '<' || c == '\u2028' || c == '\u2029') {
                quoted.append(String.format("\\u%04x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
