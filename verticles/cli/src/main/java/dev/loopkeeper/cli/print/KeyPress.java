package dev.loopkeeper.cli.print;

/**
 * A key that was pressed on a full screen.
 *
 * @param key its meaning outside a prompt
 * @param character what it types in a prompt; 0 for keys that send a sequence, -1 if no key will follow
 */
public record KeyPress(Key key, int character) {
    static final KeyPress END = new KeyPress(Key.LEAVE, -1);

    static KeyPress of(int character) {
        return new KeyPress(Key.of(character), character);
    }

    /** Returns whether no key will follow. */
    public boolean isEnd() {
        return character < 0;
    }
}
