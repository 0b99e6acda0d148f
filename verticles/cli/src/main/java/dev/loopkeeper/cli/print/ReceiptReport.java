package dev.loopkeeper.cli.print;

import dev.loopkeeper.contract.KillReceipt;

/** Prints a kill receipt in lines for people. */
public final class ReceiptReport {
    private final Console console;

    public ReceiptReport(Console console) {
        this.console = console;
    }

    public void print(KillReceipt receipt) {
        if (receipt.processes().isEmpty()) {
            console.print("no process was left");
        }
        receipt.processes().forEach(process -> console.print(line(process)));
        receipt.sandbox().ifPresent(level -> console.print("sandbox " + level));
    }

    private String line(KillReceipt.KilledProcess process) {
        String end = process.goneAt().isPresent()
                ? Paint.GREEN.on(console, "gone")
                : Paint.RED.on(console, "could not be killed");
        return "process " + process.pid() + " " + end + " after " + String.join(", ", process.signals()) + ": "
                + Words.oneLine(process.command());
    }
}
