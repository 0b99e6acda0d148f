package dev.loopkeeper.cli.command;

import picocli.CommandLine.Mixin;

/** A command about one run, its first argument. */
abstract class OneRunCommand extends FactsCommand {
    @Mixin
    final RunArgument run = new RunArgument();
}
