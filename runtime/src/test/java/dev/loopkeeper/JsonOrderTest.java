package dev.loopkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** JSON has the same order on every machine: Java's reflection gives fields in order, methods in none. */
class JsonOrderTest {
    @Test
    void aClassThatWritesSeveralMethodsNamesTheirOrder() {
        List<JavaClass> writers = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.loopkeeper").stream()
                        .filter(JsonOrderTest::writesSeveralMethods)
                        .toList();

        assertThat(writers)
                .isNotEmpty()
                .allMatch(writer -> writer.isAnnotatedWith(JsonPropertyOrder.class) || namesTheOrder(writer));
    }

    private static boolean writesSeveralMethods(JavaClass type) {
        return type.getMethods().stream()
                        .filter(method -> method.isAnnotatedWith(JsonProperty.class))
                        .filter(method -> type.tryGetField(method.getName()).isEmpty())
                        .count()
                > 1;
    }

    /** The parameters of what reads it back give the order. */
    private static boolean namesTheOrder(JavaClass type) {
        return type.getMethods().stream()
                .filter(method -> method.isAnnotatedWith(JsonCreator.class))
                .anyMatch(method -> type.getMethods().stream()
                        .filter(written -> written.isAnnotatedWith(JsonProperty.class))
                        .map(JsonOrderTest::nameOf)
                        .allMatch(name -> method.getParameters().stream()
                                .flatMap(parameter -> parameter.tryGetAnnotationOfType(JsonProperty.class).stream())
                                .anyMatch(named -> named.value().equals(name))));
    }

    private static String nameOf(JavaMethod written) {
        String given = written.getAnnotationOfType(JsonProperty.class).value();
        return given.isEmpty() ? written.getName() : given;
    }
}
