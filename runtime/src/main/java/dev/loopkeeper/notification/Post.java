package dev.loopkeeper.notification;

import java.util.Map;

/**
 * One message in the shape of its service.
 *
 * @param headers with the content type
 */
public record Post(Map<String, String> headers, String body) {
    static Post json(Object body) {
        return new Post(Map.of("Content-Type", "application/json"), body.toString());
    }
}
