package dev.substraterouter.examples.statusagent;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 127.0.0.1:9100} and {@code [::1]:9100}. Stateless and thread-safe; looks a name up, so it may block. */
final class ListenAddress implements ITypeConverter<InetSocketAddress> {
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^\\[\\]:]+):([0-9]{1,5})");
    private static final int MAX_PORT = 65_535;

    @Override
    public InetSocketAddress convert(String said) {
        Matcher parts = HOST_AND_PORT.matcher(said);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > MAX_PORT) {
            throw new TypeConversionException(
                    said + " (expected: HOST:PORT, for example 127.0.0.1:9100 or [::1]:9100)");
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(parts.group(1)), Integer.parseInt(parts.group(2)));
        } catch (UnknownHostException unknown) {
            throw new TypeConversionException(said + ": no such host");
        }
    }
}
