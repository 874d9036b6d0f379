package dev.substraterouter.examples.benchmarks.peers;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.router.ChatModelRoutingResult;
import dev.langchain4j.model.chat.router.RoutingChatModel;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** LangChain4j: a routing chat model over two models that answer at once; it routes by the request, and takes no permit. */
@State(Scope.Benchmark)
public class LangChain4jBenchmark extends NanosPerCall {
    private static final String FIRST = "first";
    private static final String SECOND = "second";

    private final ChatRequest request =
            ChatRequest.builder().messages(UserMessage.from("a prompt")).build();
    private final ChatModelRoutingResult toFirst = ChatModelRoutingResult.route(FIRST);
    private final ChatModel direct = answering(FIRST);
    private final ChatModel routing = RoutingChatModel.builder()
            .route(FIRST, answering(FIRST))
            .route(SECOND, answering(SECOND))
            .router(asked -> toFirst)
            .defaultRoute(SECOND)
            .build();

    /** The router names the first. */
    @Benchmark
    public ChatResponse routed() {
        return routing.chat(request);
    }

    /** The first model without a router: what to take off the figure above. */
    @Benchmark
    public ChatResponse unrouted() {
        return direct.chat(request);
    }

    private static ChatModel answering(String answer) {
        ChatResponse response =
                ChatResponse.builder().aiMessage(AiMessage.from(answer)).build();
        return new ChatModel() {
            @Override
            public ChatResponse doChat(ChatRequest request) {
                return response;
            }
        };
    }
}
