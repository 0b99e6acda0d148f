package dev.loopkeeper.store;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.vertx.core.eventbus.ReplyException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Only the port of the store is visible outside of it. */
class StorePackagesTest {
    private static JavaClasses main;

    @BeforeAll
    static void read() throws URISyntaxException {
        var folder = EventStore.class.getProtectionDomain().getCodeSource().getLocation();
        main = new ClassFileImporter().importPath(Path.of(folder.toURI()));
    }

    @Test
    void onlyTheEmbeddedStoreSeesTheDatabase() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.loopkeeper.store.sqlite")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.sqlite..", "java.sql..", "javax.sql..")
                .check(main);
    }

    @Test
    void onlyItsOpenersKnowTheEmbeddedStore() {
        classes()
                .that()
                .resideInAPackage("dev.loopkeeper.store.sqlite")
                .should()
                .onlyHaveDependentClassesThat(
                        resideInAPackage("dev.loopkeeper.store.sqlite").or(simpleName("OpenFolder")))
                .check(main);
    }

    /** Of the packages of its module it knows the contract of the bus alone. */
    @Test
    void thePortKnowsNoImplementationAndNoDataFolder() {
        noClasses()
                .that()
                .resideInAPackage("dev.loopkeeper.store")
                .should()
                .dependOnClassesThat(belongTo(main)
                        .and(not(resideInAnyPackage(
                                "dev.loopkeeper.store", "dev.loopkeeper.contract", "dev.loopkeeper.work"))))
                .check(main);
    }

    private static DescribedPredicate<JavaClass> belongTo(JavaClasses module) {
        return DescribedPredicate.describe(
                "belong to this module",
                type -> module.contain(type.getBaseComponentType().getName()));
    }

    /** They compared the codes of replies, which only those have who reach the store over the bus. */
    @Test
    void callersOfTheStoreSeeNoReplyOfTheBus() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.loopkeeper.scheduler..",
                        "dev.loopkeeper.retention..",
                        "dev.loopkeeper.notify..",
                        "dev.loopkeeper.embed..",
                        "dev.loopkeeper.control..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ReplyException.class)
                .check(main);
    }
}
