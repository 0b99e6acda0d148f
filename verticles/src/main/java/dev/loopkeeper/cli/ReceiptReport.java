package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** A receipt of ended processes in lines for people. */
final class ReceiptReport {
    private final Console console;

    ReceiptReport(Console console) {
        this.console = console;
    }

    void print(JsonNode receipt) {
        JsonNode processes = receipt.path("processes");
        if (processes.isEmpty()) {
            console.print("no process was left");
        }
        processes.forEach(process -> console.print(line(process)));
    }

    private String line(JsonNode process) {
        List<String> signals = new ArrayList<>();
        process.path("signals").forEach(signal -> signals.add(signal.asText()));
        String end =
                process.hasNonNull("goneAt") ? Paint.GREEN.on(console, "gone") : Paint.RED.on(console, "would not die");
        return "process " + process.path("pid").asText() + " " + end + " after " + String.join(", ", signals) + ": "
                + Words.oneLine(process.path("command").asText());
    }
}
