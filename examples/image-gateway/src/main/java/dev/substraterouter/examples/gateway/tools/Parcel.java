package dev.substraterouter.examples.gateway.tools;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A message, or its result, as the bytes that a batch queue keeps. Stateless. */
final class Parcel {
    private static final int FORMAT = 1;

    private Parcel() {}

    static byte[] write(Message message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(message.body().length + 128);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeUTF(message.path());
            out.writeUTF(message.contentType());
            out.write(message.body());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /**
     * What was written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static Message read(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int format = in.readUnsignedByte();
            if (format != FORMAT) {
                throw new IllegalArgumentException("parcel format: " + format + " (expected: " + FORMAT + ")");
            }
            return new Message(in.readUTF(), in.readUTF(), in.readAllBytes());
        } catch (IOException cut) {
            throw new IllegalArgumentException("parcel: " + bytes.length + " bytes (expected: a whole one)", cut);
        }
    }
}
