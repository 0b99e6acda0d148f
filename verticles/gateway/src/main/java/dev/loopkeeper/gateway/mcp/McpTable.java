package dev.loopkeeper.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The table {@code mcp.json} of tools and prompts. */
public final class McpTable {
    private static final JsonNode TABLE = read();

    private McpTable() {}

    private static JsonNode read() {
        try (InputStream table = McpTable.class.getResourceAsStream("mcp.json")) {
            return Json.MAPPER.readTree(table);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Returns the tools for clients outside of steps, in their order. */
    static List<McpTool> tools() {
        return rows("tools");
    }

    /** Returns the tools inside a step, in their order. */
    static List<McpTool> ofStep() {
        return rows("step");
    }

    static JsonNode prompts() {
        return TABLE.path("prompts");
    }

    private static List<McpTool> rows(String name) {
        List<McpTool> tools = new ArrayList<>();
        TABLE.path(name).forEach(row -> tools.add(new McpTool(row.deepCopy())));
        return tools;
    }
}
