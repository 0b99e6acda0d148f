package dev.loopkeeper.store;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.vertx.core.eventbus.ReplyException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The door to the store is its port: what lies behind it nobody sees. */
class StoreRoomsTest {
    private static JavaClasses main;

    @BeforeAll
    static void read() throws URISyntaxException {
        var folder = EventStore.class.getProtectionDomain().getCodeSource().getLocation();
        main = new ClassFileImporter().importPath(Path.of(folder.toURI()));
    }

    @Test
    void nobodyButTheEmbeddedStoreSeesTheDatabase() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.loopkeeper.store.sqlite")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.sqlite..", "java.sql..", "javax.sql..")
                .check(main);
    }

    @Test
    void onlyThoseWhoOpenItKnowTheEmbeddedStore() {
        classes()
                .that()
                .resideInAPackage("dev.loopkeeper.store.sqlite")
                .should()
                .onlyHaveDependentClassesThat(
                        resideInAPackage("dev.loopkeeper.store.sqlite").or(simpleName("Loopkeeper")))
                .check(main);
    }

    @Test
    void thePortKnowsNoImplementationAndNoDataFolder() {
        noClasses()
                .that()
                .resideInAPackage("dev.loopkeeper.store")
                .should()
                .dependOnClassesThat(resideInAPackage("dev.loopkeeper..")
                        .and(not(resideInAPackage("dev.loopkeeper.store")))
                        .and(not(resideInAPackage("dev.loopkeeper.contract")))
                        .and(not(resideInAPackage("dev.loopkeeper.checkpoint")))
                        .and(not(resideInAPackage("dev.loopkeeper.run"))))
                .check(main);
    }

    /** They compared the codes of replies, which only those have who reach the store over the bus. */
    @Test
    void whoAsksTheStoreSeesNoReplyOfTheBus() {
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
