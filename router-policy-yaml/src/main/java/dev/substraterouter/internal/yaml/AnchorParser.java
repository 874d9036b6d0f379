package dev.substraterouter.internal.yaml;

import java.io.Reader;
import java.io.StringReader;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.NodeEvent;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.io.IOContext;
import tools.jackson.core.util.BufferRecycler;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLFactoryBuilder;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Jackson's parser, which also tells the anchors of single values: Jackson's own keeps those of lists and maps only, and would read an
 * alias of a single value as its name.
 *
 * <p>Its strict duplicate detection is off, since it would end the reading at the first repeated key and name one of the two places;
 * {@link At#entries} reports every one with both.
 */
final class AnchorParser extends YAMLParser {
    private AnchorParser(
            ObjectReadContext context,
            IOContext io,
            BufferRecycler buffers,
            int streamFeatures,
            int formatFeatures,
            LoadSettings settings,
            Reader text) {
        super(context, io, buffers, streamFeatures, formatFeatures, settings, text, true);
    }

    /** A parser at the beginning of a text. */
    static AnchorParser of(String text) {
        // A long value makes the engine read on and copy what it holds each time: once is enough, if the buffer takes
        // the whole text.
        LoadSettings settings =
                LoadSettings.builder().setBufferSize(text.length() + 1).build();
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxNameLength(SourceText.MAX_BYTES)
                .maxNestingDepth(TreeReader.MAX_DEPTH + 1) // one more, so that the reader can tell the place
                .build();
        YAMLFactoryBuilder builder = YAMLFactory.builder()
                .loadSettings(settings)
                .streamReadConstraints(constraints)
                .disable(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
        return new Factory(builder).parser(text);
    }

    /** The anchor of the value that the parser stands on. */
    Optional<String> anchor() {
        return _lastEvent instanceof NodeEvent node ? node.getAnchor().map(Anchor::getValue) : Optional.empty();
    }

    private static final class Factory extends YAMLFactory {
        private static final long serialVersionUID = 1L;

        Factory(YAMLFactoryBuilder builder) {
            super(builder);
        }

        AnchorParser parser(String text) {
            return (AnchorParser) createParser(ObjectReadContext.empty(), new StringReader(text));
        }

        @Override
        protected YAMLParser _createParser(ObjectReadContext context, IOContext io, Reader text) {
            return new AnchorParser(
                    context, io, _getBufferRecycler(), _streamReadFeatures, _formatReadFeatures, _loadSettings, text);
        }
    }
}
