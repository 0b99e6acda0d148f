package dev.loopkeeper.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A way to a server, as a node's to the database. While it is cut nothing arrives and no client is notified; what was
 * under way comes late, as TCP sends it again.
 */
public final class FaultyLink implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final int databasePort;
    private boolean questionsArrive = true;
    private boolean answersArrive = true;
    private long delayMillis;

    public FaultyLink(int databasePort) throws IOException {
        this.databasePort = databasePort;
        begin(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    public synchronized void set(boolean questions, boolean answers, long delay) {
        questionsArrive = questions;
        answersArrive = answers;
        delayMillis = delay;
        notifyAll();
    }

    void heal() {
        set(true, true, 0);
    }

    /** Who is connected is not any more; others may be. */
    public void cut() {
        sockets.forEach(this::end);
    }

    private static void begin(Runnable work) {
        Thread thread = new Thread(work, "link");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket node = server.accept();
                sockets.add(node);
                begin(() -> join(node));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void join(Socket node) {
        try {
            pass(true);
            Socket database = new Socket(InetAddress.getLoopbackAddress(), databasePort);
            sockets.add(database);
            node.setTcpNoDelay(true);
            database.setTcpNoDelay(true);
            begin(() -> copy(database, node, false));
            copy(node, database, true);
        } catch (IOException away) {
            end(node);
        }
    }

    private void copy(Socket from, Socket to, boolean questions) {
        byte[] bytes = new byte[65536];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                pass(questions);
                out.write(bytes, 0, read);
            }
            pass(questions);
        } catch (IOException gone) {
            // The other side is notified.
        }
        end(from);
        end(to);
    }

    private synchronized void pass(boolean questions) throws IOException {
        try {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMillis);
            for (long left = delayMillis; left > 0; left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())) {
                wait(left);
            }
            while (questions ? !questionsArrive : !answersArrive) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    private void end(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException closed) {
            // It is.
        }
    }

    @Override
    public void close() throws IOException {
        heal();
        server.close();
        cut();
    }
}
