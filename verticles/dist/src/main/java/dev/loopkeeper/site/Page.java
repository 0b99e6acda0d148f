package dev.loopkeeper.site;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** One document as a page of the site: its headings have the anchors that GitHub gives them. */
final class Page {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    /** A part of a page below one heading, as the search finds it. */
    record Section(String heading, String anchor, String text) {}

    /** Turns a target of a link as it stands in the document into one of the site. */
    interface Targets {
        String of(String target);
    }

    private final String title;
    private final String body;
    private final List<Section> sections;

    private Page(String title, String body, List<Section> sections) {
        this.title = title;
        this.body = body;
        this.sections = sections;
    }

    static Page of(String markdown, Targets targets) {
        Node document = PARSER.parse(markdown);
        document.accept(new Retarget(targets));
        Map<Node, String> anchors = new LinkedHashMap<>();
        List<Section> sections = sections(document, anchors);
        HtmlRenderer renderer = HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (anchors.containsKey(node)) {
                        attributes.put("id", anchors.get(node));
                    }
                    if (node instanceof Image) {
                        attributes.put("loading", "lazy");
                    }
                })
                .build();
        String title = sections.isEmpty() ? "Loopkeeper" : sections.get(0).heading();
        return new Page(title, renderer.render(document), sections);
    }

    private static List<Section> sections(Node document, Map<Node, String> anchors) {
        List<Section> sections = new ArrayList<>();
        String heading = "";
        String anchor = "";
        StringBuilder text = new StringBuilder();
        Map<String, Integer> used = new LinkedHashMap<>();
        for (Node block = document.getFirstChild(); block != null; block = block.getNext()) {
            if (block instanceof Heading) {
                if (!heading.isEmpty()) {
                    sections.add(new Section(heading, anchor, text.toString().strip()));
                }
                heading = text(block);
                anchor = anchor(heading, used);
                anchors.put(block, anchor);
                text.setLength(0);
            } else {
                text.append(text(block)).append(' ');
            }
        }
        sections.add(new Section(heading, anchor, text.toString().strip()));
        return sections;
    }

    /** As GitHub makes them; a second one of a name has a number. */
    private static String anchor(String heading, Map<String, Integer> used) {
        String plain = heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
        int before = used.merge(plain, 1, Integer::sum) - 1;
        return before == 0 ? plain : plain + "-" + before;
    }

    private static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(Code part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(FencedCodeBlock part) {
                text.append(part.getLiteral()).append(' ');
            }

            @Override
            public void visit(SoftLineBreak part) {
                text.append(' ');
            }

            @Override
            public void visit(HardLineBreak part) {
                text.append(' ');
            }

            @Override
            public void visit(Paragraph part) {
                visitChildren(part);
                text.append(' ');
            }

            @Override
            public void visit(CustomNode part) {
                visitChildren(part);
                if (part instanceof TableCell) {
                    text.append(' ');
                }
            }
        });
        return text.toString().strip().replaceAll("\\s+", " ");
    }

    /** The first heading. */
    String title() {
        return title;
    }

    String body() {
        return body;
    }

    List<Section> sections() {
        return sections;
    }

    /** Links and pictures lead to where the site has them. */
    private static final class Retarget extends AbstractVisitor {
        private final Targets targets;

        private Retarget(Targets targets) {
            this.targets = targets;
        }

        @Override
        public void visit(Link link) {
            link.setDestination(targets.of(link.getDestination()));
            visitChildren(link);
        }

        @Override
        public void visit(Image image) {
            image.setDestination(targets.of(image.getDestination()));
            visitChildren(image);
        }
    }
}
