package dev.loopkeeper.cli.print;

import dev.loopkeeper.contract.KillReceipt;

/** Prints a kill receipt in lines for people. */
public final class ReceiptReport {
    private ReceiptReport() {}

    public static void print(Console console, KillReceipt receipt) {
        if (receipt.processes().isEmpty()) {
            console.print("no process was left");
        }
        receipt.processes().forEach(process -> console.print(line(console, process)));
        receipt.sandbox().ifPresent(level -> console.print("sandbox " + level));
    }

    private static String line(Console console, KillReceipt.KilledProcess process) {
        String end = process.goneAt().isPresent()
                ? Paint.GREEN.on(console, "gone")
                : Paint.RED.on(console, "could not be killed");
        return "process " + process.pid() + " " + end + " after " + String.join(", ", process.signals()) + ": "
                + Words.oneLine(process.command());
    }
}
