/** The nouns that every room shares: what a request asks for and how an answer is described. */
@NullMarked
package dev.substraterouter.model;

import org.jspecify.annotations.NullMarked;
