package dev.loopkeeper.embedding;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperException;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.LoopkeeperPart;
import dev.loopkeeper.embed.Membership;
import dev.loopkeeper.embed.RunEvents;
import dev.loopkeeper.request.PruneRequest;
import dev.loopkeeper.run.ResumeRequest;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Embedding code needs the public packages and nothing else; see {@code docs/embedding.md}. */
class PublicApiTest {
    private static final Set<String> PACKAGES = Set.of(
            "dev.loopkeeper.embed",
            "dev.loopkeeper.handler",
            "dev.loopkeeper.view",
            "dev.loopkeeper.manifest",
            "dev.loopkeeper.policy",
            "dev.loopkeeper.run",
            "dev.loopkeeper.run.git",
            "dev.loopkeeper.run.progress",
            "dev.loopkeeper.run.step",
            "dev.loopkeeper.termination",
            "dev.loopkeeper.statistics",
            "dev.loopkeeper.step",
            "dev.loopkeeper.verdict");
    /** Of other packages only these types. */
    private static final Set<String> TYPES = Set.of(
            "dev.loopkeeper.contract.Changes",
            "dev.loopkeeper.contract.KillReceipt",
            "dev.loopkeeper.contract.LiveProcess",
            "dev.loopkeeper.contract.OrphanProcess",
            "dev.loopkeeper.contract.Reaped",
            "dev.loopkeeper.contract.RunMerged",
            "dev.loopkeeper.request.PruneRequest",
            "dev.loopkeeper.store.PrunedRuns",
            "dev.loopkeeper.manifest.read.ManifestProblem",
            "dev.loopkeeper.manifest.read.SourcePosition",
            "dev.loopkeeper.process.InheritedEnvironment",
            "dev.loopkeeper.store.AppliedPolicy");

    /** Their Javadoc says that they are for our own modules. */
    private static final Set<Class<?>> BETWEEN_MODULES = Set.of(LoopkeeperPart.class, Membership.class);

    private static boolean isPublic(Class<?> type) {
        return isPublic(type.getPackageName(), type.getName());
    }

    static boolean isPublic(String packageName, String name) {
        String outer = name.replaceAll("\\$.*", "");
        return PACKAGES.contains(packageName) || TYPES.contains(outer);
    }

    @Test
    void theExamplesNeedThePublicPackagesAlone() {
        JavaClasses examples = new ClassFileImporter()
                .importClasses(EmbeddingExamples.class, EmbeddingExampleTest.class, LoopkeeperTest.class);
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.loopkeeper..")
                        .and(not(resideInAPackage("dev.loopkeeper.embedding")))
                        .and(not(describe(
                                "are public", (JavaClass type) -> isPublic(type.getPackageName(), type.getName())))))
                .check(examples);
    }

    @Test
    void theFaceShowsNothingThatIsNotPublic() {
        Set<String> internal = new TreeSet<>();
        for (Class<?> type : shown()) {
            if (!isPublic(type)) {
                internal.add(type.getName());
            }
        }
        assertThat(internal).isEmpty();
    }

    /** All own types that can be reached from the face by its methods and then by the parts of records. */
    private static Set<Class<?>> shown() {
        Set<Class<?>> seen = new LinkedHashSet<>();
        Deque<Type> open = new ArrayDeque<>();
        for (Class<?> face : new Class<?>[] {Loopkeeper.class, LoopkeeperOptions.class, RunEvents.class}) {
            publicMethods(face).forEach(method -> {
                open.add(method.getGenericReturnType());
                open.addAll(Arrays.asList(method.getGenericParameterTypes()));
            });
        }
        open.addAll(Arrays.asList(LoopkeeperException.class.getPermittedSubclasses()));
        while (!open.isEmpty()) {
            Type next = open.pop();
            if (next instanceof Class<?> type
                    && type.getName().startsWith("dev.loopkeeper")
                    && !BETWEEN_MODULES.contains(type)
                    && seen.add(type)) {
                for (RecordComponent part : type.isRecord() ? type.getRecordComponents() : new RecordComponent[0]) {
                    open.add(part.getGenericType());
                }
                if (LoopkeeperException.class.isAssignableFrom(type)) {
                    publicMethods(type).forEach(method -> open.add(method.getGenericReturnType()));
                }
            }
            open.addAll(parts(next));
        }
        return seen;
    }

    /** A new option must not break a program that was compiled without it. */
    @Test
    void optionsHaveNoConstructorOfAllParts() {
        Set<Class<?>> options = publicMethods(Loopkeeper.class)
                .flatMap(method -> Arrays.stream(method.getParameterTypes()))
                .filter(type -> type.getSimpleName().matches(".*(Options|Request|Filter|Selection)"))
                .collect(Collectors.toSet());

        assertThat(options)
                .contains(LoopkeeperOptions.class, PruneRequest.class, ResumeRequest.class)
                .allSatisfy(type -> assertThat(type.isRecord()).isFalse())
                .allSatisfy(type -> assertThat(type.getConstructors()).isEmpty());
    }

    private static Set<Type> parts(Type type) {
        Set<Type> parts = new LinkedHashSet<>();
        if (type instanceof ParameterizedType generic) {
            parts.add(generic.getRawType());
            parts.addAll(Arrays.asList(generic.getActualTypeArguments()));
        } else if (type instanceof WildcardType any) {
            parts.addAll(Arrays.asList(any.getUpperBounds()));
        } else if (type instanceof GenericArrayType array) {
            parts.add(array.getGenericComponentType());
        }
        return parts;
    }

    private static Stream<Method> publicMethods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic());
    }

    /** In Kotlin a lambda fits any function type, and in Java a checked exception must be caught. */
    @Test
    void noMethodIsAmbiguousOrThrowsWhatMustBeCaught() {
        assertThat(publicMethods(Loopkeeper.class))
                .allSatisfy(method -> assertThat(method.getExceptionTypes()).isEmpty());
        assertThat(publicMethods(Loopkeeper.class)
                        .filter(method -> Arrays.stream(method.getParameterTypes())
                                .anyMatch(kind -> kind.isInterface()
                                        && kind.getPackageName().startsWith("java.util.function")))
                        .map(Method::getName))
                .doesNotHaveDuplicates();
    }
}
