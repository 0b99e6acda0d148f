package dev.loopkeeper.step;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Words that an error says, e.g. {@code hit|reached your ... limit}. Each stands for itself in any case; {@code a|b} is
 * one or the other, {@code a?} may be missing, {@code limit*} and {@code *Exception} have any end or beginning,
 * {@code <n>} is a number, {@code <percent>} one such as {@code 81%} between nothing and all, {@code <ref>} one such as
 * {@code #123}, {@code <html>} the beginning of a page, {@code ...} up to eight words of any kind, {@code ^} and
 * {@code $} the beginning and the end of a line or a quoted text, {@code &} parts patterns that must all occur, in any
 * order, and {@code !} makes one that must not.
 *
 * <p>The work is the product of the lengths of text and pattern: there is nothing to go back to.
 */
public final class WordPattern {
    private static final int GAP = 8;
    private static final int LONGEST = 200;
    private static final int MOST_WORDS = 20;
    private static final int MOST_MISSING = 3;
    private static final int FEWEST_LETTERS = 3;
    private static final Set<String> NUMBERS = Set.of("<n>", "<percent>", "<ref>");

    /** One place in the order: any of these words, after others or directly after the one before. */
    private record Place(List<String> words, boolean afterGap) {
        boolean fits(String word) {
            for (String one : words) {
                if (fits(one, word)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean fits(String one, String word) {
            boolean open = one.startsWith("*");
            boolean endless = one.endsWith("*");
            if (open && endless) {
                return word.contains(one.substring(1, one.length() - 1));
            }
            if (open) {
                return word.endsWith(one.substring(1));
            }
            if (endless) {
                return word.startsWith(one.substring(0, one.length() - 1));
            }
            return switch (one) {
                case "<n>" -> isNumber(word);
                case "<percent>" -> isPartOfAll(word);
                case "<ref>" -> word.startsWith("#") && word.length() > 1 && isNumber(word.substring(1));
                default -> one.equals(word);
            };
        }

        private static boolean isNumber(String word) {
            return Character.isDigit(word.charAt(0)) && word.chars().allMatch(c -> c < 'A' || word.length() < 12);
        }

        /** Neither nothing nor all: {@code 81%} or {@code 99.5%}. */
        private static boolean isPartOfAll(String word) {
            String number = word.substring(0, word.length() - 1);
            return word.endsWith("%")
                    && number.matches("\\d{1,2}(?:\\.\\d{1,3})?")
                    && !number.matches("0{1,2}(?:\\.0{1,3})?");
        }

        /** Whether any of its words may be in the text; cheap, and mostly no. */
        boolean mayBeIn(TextWords text) {
            for (String one : words) {
                if (text.has(one) || isOpen(one)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean isOpen(String one) {
            return one.startsWith("*") || one.endsWith("*") || NUMBERS.contains(one);
        }
    }

    /** Places in order. */
    private record Sequence(List<Place> places, boolean atStart, boolean atEnd) {
        boolean isIn(TextWords words, boolean ofLine) {
            if (!mayBeIn(words, ofLine)) {
                return false;
            }
            int last = places.size() - 1;
            // The last word at which the pattern up to each place was complete: the latest is the best for what
            // follows.
            int[] reached = new int[last + 1];
            Arrays.fill(reached, -1);
            for (int at = 0; at < words.count(); at++) {
                String word = words.word(at);
                for (int place = last; place >= 0; place--) {
                    if (follows(reached, place, at, words, ofLine)
                            && places.get(place).fits(word)) {
                        if (place == last && (!atEnd || (ofLine ? at == words.count() - 1 : words.ends(at)))) {
                            return true;
                        }
                        reached[place] = at;
                    }
                }
            }
            return false;
        }

        private boolean mayBeIn(TextWords words, boolean ofLine) {
            if (ofLine && atStart) {
                return words.count() > 0 && places.get(0).fits(words.word(0));
            }
            for (Place place : places) {
                if (!place.mayBeIn(words)) {
                    return false;
                }
            }
            return true;
        }

        private boolean follows(int[] reached, int place, int at, TextWords words, boolean ofLine) {
            if (place == 0) {
                return !atStart || (ofLine ? words.startsLine(at) : words.starts(at));
            }
            int before = reached[place - 1];
            return before >= 0 && (places.get(place).afterGap() ? at - before <= GAP + 1 : at - before == 1);
        }
    }

    /** Of these sequences one must be found, or none where it is unwanted. */
    private record Part(List<Sequence> sequences, boolean unwanted) {
        boolean holds(TextWords words, boolean ofLine) {
            for (Sequence sequence : sequences) {
                if (sequence.isIn(words, ofLine)) {
                    return !unwanted;
                }
            }
            return unwanted;
        }
    }

    private final List<Part> parts;

    private WordPattern(List<Part> parts) {
        this.parts = parts;
    }

    /**
     * The pattern that this text writes down.
     *
     * @throws IllegalArgumentException that says what is wrong with it
     */
    public static WordPattern of(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("a pattern has at most " + LONGEST + " characters");
        }
        return new WordPattern(
                Stream.of(text.split("&", -1)).map(WordPattern::part).toList());
    }

    /** What is wrong with such a pattern; empty when nothing is. */
    public static Optional<String> objection(String text) {
        try {
            WordPattern read = of(text);
            return read.parts.isEmpty() ? Optional.of("a pattern needs words") : Optional.empty();
        } catch (IllegalArgumentException wrong) {
            return Optional.of(wrong.getMessage());
        }
    }

    /**
     * Whether a text says this.
     *
     * @param ofLine {@code ^} is the very first word of a line, names of an error included */
    public boolean isIn(TextWords words, boolean ofLine) {
        for (Part part : parts) {
            if (!part.holds(words, ofLine)) {
                return false;
            }
        }
        return true;
    }

    private static Part part(String text) {
        boolean unwanted = text.strip().startsWith("!");
        String bare = unwanted ? text.strip().substring(1) : text;
        List<String> words = List.of(bare.strip().toLowerCase(Locale.ROOT).split("\\s+"));
        long letters = words.stream()
                .filter(word -> !word.endsWith("?") && !word.equals("<n>") && !word.equals("<percent>"))
                .mapToLong(
                        word -> word.chars().filter(Character::isLetterOrDigit).count())
                .sum();
        boolean wide = text.codePoints().anyMatch(Character::isIdeographic);
        if (letters < (wide ? 2 : FEWEST_LETTERS)) {
            throw new IllegalArgumentException("a pattern needs a word of at least " + FEWEST_LETTERS
                    + " letters that may not be missing, found '" + text.strip() + "'");
        }
        if (words.size() > MOST_WORDS) {
            throw new IllegalArgumentException("a pattern has at most " + MOST_WORDS + " words");
        }
        if (words.stream().filter(word -> word.endsWith("?")).count() > MOST_MISSING) {
            throw new IllegalArgumentException("a pattern has at most " + MOST_MISSING + " words that may be missing");
        }
        List<Sequence> found = new ArrayList<>();
        expand(words, 0, new ArrayList<>(), found);
        return new Part(List.copyOf(found), unwanted);
    }

    /** With and without each word that may be missing. */
    private static void expand(List<String> words, int from, List<String> taken, List<Sequence> found) {
        if (from == words.size()) {
            found.add(sequence(taken));
            return;
        }
        String word = words.get(from);
        boolean optional = word.endsWith("?");
        if (optional) {
            expand(words, from + 1, new ArrayList<>(taken), found);
        }
        taken.add(optional ? word.substring(0, word.length() - 1) : word);
        expand(words, from + 1, taken, found);
    }

    private static Sequence sequence(List<String> words) {
        boolean atStart = words.get(0).equals("^");
        boolean atEnd = words.get(words.size() - 1).equals("$");
        List<Place> places = new ArrayList<>();
        boolean gap = false;
        for (String word : words.subList(atStart ? 1 : 0, words.size() - (atEnd ? 1 : 0))) {
            if (word.equals("...")) {
                gap = true;
            } else {
                places.add(place(word, gap));
                gap = false;
            }
        }
        if (gap || places.isEmpty() || places.get(0).afterGap()) {
            throw new IllegalArgumentException("'...' stands between words");
        }
        return new Sequence(List.copyOf(places), atStart, atEnd);
    }

    private static Place place(String word, boolean gap) {
        List<String> words = List.of(word.split("\\|", -1));
        for (String one : words) {
            if (!TextWords.isWord(one)) {
                throw new IllegalArgumentException("'" + one + "' is no word that a text could have");
            }
        }
        return new Place(words, gap);
    }
}
