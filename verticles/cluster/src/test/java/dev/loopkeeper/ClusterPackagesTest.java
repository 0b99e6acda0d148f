package dev.loopkeeper;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.loopkeeper.store.postgres.PostgresOptions;
import org.junit.jupiter.api.Test;

/** The database's client stays behind the port of the store. */
class ClusterPackagesTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .importUrl(
                    PostgresOptions.class.getProtectionDomain().getCodeSource().getLocation());
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.loopkeeper");

    @Test
    void itsPackagesFormNoCycle() {
        slices().matching("dev.loopkeeper.(**)").should().beFreeOfCycles().check(MODULE);
    }

    @Test
    void onlyTheStoreSeesTheDatabaseClient() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.loopkeeper.store.postgres")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx.pgclient..", "io.vertx.sqlclient..", "com.ongres..")
                .check(PRODUCT);
    }

    /** An embedder without a bus loads nothing of it, and one with a bus of its own need not have it. */
    @Test
    void onlyTheBusNamesHazelcast() {
        noClasses()
                .that()
                .doNotHaveSimpleName("HazelcastBus")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.hazelcast..", "io.vertx.spi.cluster..")
                .check(PRODUCT);
    }

    /** Who opens it names its options and the port. */
    @Test
    void itShowsNoClassOfTheClient() {
        noClasses()
                .that()
                .arePublic()
                .and()
                .haveSimpleName("PostgresOptions")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx.pgclient..", "io.vertx.sqlclient..")
                .check(MODULE);
    }

    @Test
    void itSeesNoCommandLineNoWebAndNoOtherStore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "picocli..",
                        "ch.qos.logback..",
                        "io.vertx.ext.web..",
                        "java.sql..",
                        "dev.loopkeeper.store.sqlite..",
                        "dev.loopkeeper.scheduler..")
                .check(MODULE);
    }
}
