package dev.loopkeeper.chaos;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The same texts as those of appends, put into a plain table over one connection, one statement for each batch. */
final class BareInsert implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement insert;
    private final List<String> texts;

    /**
     * The table must be there, see {@link #makeTable}.
     *
     * @param texts of one append
     */
    BareInsert(Connection connection, List<String> texts) throws SQLException {
        this.connection = connection;
        this.insert = connection.prepareStatement("INSERT INTO public.bare (name, data) SELECT * FROM unnest(?, ?)");
        this.texts = texts;
    }

    static void makeTable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            boolean unused = statement.execute(
                    "CREATE TABLE public.bare (position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text, data text)");
        }
    }

    /**
     * As fast as it is answered for that long; the time is that of a statement.
     *
     * @param batch how many appends go into one statement
     */
    AppendingNode.Throughput measure(int batch, long millis) throws SQLException {
        List<String> names = new ArrayList<>();
        List<String> data = new ArrayList<>();
        for (int append = 0; append < batch; append++) {
            for (String text : texts) {
                names.add("run-" + append);
                data.add(text);
            }
        }
        List<Long> nanos = new ArrayList<>();
        long begun = System.nanoTime();
        long end = begun + millis * 1_000_000;
        for (long asked = begun; asked < end; asked = System.nanoTime()) {
            insert.setArray(1, connection.createArrayOf("text", names.toArray()));
            insert.setArray(2, connection.createArrayOf("text", data.toArray()));
            int unused = insert.executeUpdate();
            nanos.add(System.nanoTime() - asked);
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        double appends = nanos.size() * (double) batch;
        return new AppendingNode.Throughput(appends / seconds, sorted[sorted.length / 2] / 1e6, appends);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
