package dev.loopkeeper.cli.session;

/** Writes a step's log while it arrives, no faster than it is read; blocks until the server has sent the end. */
final class LogDownload {
    private LogDownload() {}

    static void to(LogSink sink, Api api, String runId, String stepId, String stream, LogSelection wish) {
        String path = Api.run(runId) + "/steps/" + Api.encoded(stepId) + "/log?stream=" + stream
                + "&follow=" + wish.follow()
                + (wish.tail().isPresent() ? "&tail=" + wish.tail().getAsLong() : "");
        Download.take(
                api,
                path,
                response -> {
                    String dialect = response.getHeader("Loopkeeper-Output");
                    if (dialect != null && stream.equals("stdout")) {
                        sink.reads(dialect);
                    }
                },
                sink);
    }
}
