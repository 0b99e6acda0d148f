package dev.loopkeeper.it;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.ServerAddress;
import dev.loopkeeper.data.ServerFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands before a server that is killed as it has answered a submission, and the answer is lost. */
final class LostAnswer implements AutoCloseable {
    private static final String SUBMISSION = "POST /api/v1/runs ";
    private static final int BUFFER = 1 << 16;

    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final Program program;
    private URI server;
    private volatile boolean submitted;

    LostAnswer(Program program) throws IOException {
        this.program = program;
    }

    /** Has the data folder say that its server is here. */
    void standBefore(Path folder) {
        ServerFile file = new DataFolder(folder).serverFile();
        ServerAddress real = file.read().orElseThrow();
        server = URI.create(real.url());
        file.write(new ServerAddress("http://127.0.0.1:" + door.getLocalPort(), real.pid(), real.startedAt()));
        inBackground(this::accept);
    }

    boolean isOpen() {
        return !door.isClosed();
    }

    private void accept() throws IOException {
        while (isOpen()) {
            Socket client = kept(door.accept());
            Socket owner = kept(new Socket(server.getHost(), server.getPort()));
            inBackground(() -> pass(client, owner));
            inBackground(() -> answer(owner, client));
        }
    }

    private Socket kept(Socket socket) {
        open.add(socket);
        return socket;
    }

    private void pass(Socket client, Socket owner) throws IOException {
        InputStream asked = client.getInputStream();
        OutputStream passed = owner.getOutputStream();
        byte[] bytes = new byte[BUFFER];
        for (int read = asked.read(bytes); read > 0; read = asked.read(bytes)) {
            submitted |= new String(bytes, 0, read, StandardCharsets.ISO_8859_1).startsWith(SUBMISSION);
            passed.write(bytes, 0, read);
        }
    }

    private void answer(Socket owner, Socket client) throws IOException, InterruptedException {
        InputStream answered = owner.getInputStream();
        OutputStream passed = client.getOutputStream();
        byte[] bytes = new byte[BUFFER];
        for (int read = answered.read(bytes); read > 0; read = answered.read(bytes)) {
            if (submitted && new String(bytes, 0, read, StandardCharsets.ISO_8859_1).startsWith("HTTP/1.1 201")) {
                program.kill();
                close();
                return;
            }
            passed.write(bytes, 0, read);
        }
    }

    private interface Work {
        void go() throws IOException, InterruptedException;
    }

    private static void inBackground(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.go();
            } catch (IOException | InterruptedException closed) {
                Thread.currentThread().interrupt(); // one end is gone, as is wanted here
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
