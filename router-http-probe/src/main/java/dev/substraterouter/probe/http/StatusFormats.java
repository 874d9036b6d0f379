package dev.substraterouter.probe.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The formats there are: the built-in ones and those that the host provides. Immutable. */
final class StatusFormats {
    private static final List<StatusFormat> BUILT_IN = List.of(
            new SubstrateFormat(),
            new VllmFormat(),
            new SglangFormat(),
            new TgiFormat(),
            new TritonFormat(),
            new DcgmFormat(),
            new ComfyUiFormat(),
            new OllamaFormat(),
            new LlamaCppFormat(),
            new A1111Format(),
            new TabbyApiFormat(),
            new LmStudioFormat(),
            new RocmSmiFormat(),
            new AmdSmiFormat());

    private final Map<String, StatusFormat> byName = new LinkedHashMap<>();

    /** The built-in ones, and over them those of the given providers. */
    StatusFormats(Iterable<StatusFormat> provided) {
        BUILT_IN.forEach(format -> byName.put(format.name(), format));
        provided.forEach(format -> byName.put(format.name(), format));
    }

    /** With the providers that the thread's class loader sees; one that cannot be loaded is logged, and costs the others too. */
    static StatusFormats load() {
        try {
            return new StatusFormats(ServiceLoader.load(StatusFormat.class));
        } catch (ServiceConfigurationError broken) {
            System.getLogger(HttpStatusProbe.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "a provider of StatusFormat cannot be loaded: none is used",
                            broken);
            return new StatusFormats(List.of());
        }
    }

    /** The one of the given name. */
    Optional<StatusFormat> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** All names. */
    String names() {
        return String.join(", ", byName.keySet());
    }
}
