package dev.loopkeeper.embedding;

// snippet:langchain-imports
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import dev.loopkeeper.handler.Handlers;
import dev.loopkeeper.handler.StepHandler;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.verdict.Signal;
import java.util.OptionalDouble;
import java.util.OptionalLong;
// end:langchain-imports

/** The example of LangChain4j in {@code docs/java-agents.md}. */
final class LangChainExample {
    private LangChainExample() {}

    // snippet:langchain
    /** Asks a model of LangChain4j whether the loop has reached its goal. */
    static StepHandler judge(ChatModel model) {
        return Handlers.blocking(step -> {
            ChatResponse response = model.chat(UserMessage.from("Judge the work in " + step.workspace()
                    + ". Answer OK, or one sentence that says what is wrong.\n\n" + step.contextText()));
            TokenUsage used = response.tokenUsage();
            step.report(new Usage(
                    OptionalDouble.empty(),
                    OptionalLong.of(used.inputTokenCount()),
                    OptionalLong.of(used.outputTokenCount()),
                    OptionalLong.of(1)));
            String text = response.aiMessage().text();
            step.say(text);
            return text.equals("OK") ? Signal.success() : Signal.stalled(text);
        });
    }
    // end:langchain
}
