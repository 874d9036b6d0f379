package dev.substraterouter.planted;

/**
 * A bug that a router like this one could have, a small change of its source.
 *
 * @param name what reports call it
 * @param wrong what the router does with it
 * @param file the source, below the folder of sources
 * @param text what it says there, exactly once
 * @param instead what it says with the bug
 */
public record Bug(String name, String wrong, String file, String text, String instead) {
    @Override
    public String toString() {
        return name;
    }
}
