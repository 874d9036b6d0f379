package dev.substraterouter.examples.benchmarks.limit;

/** Room before the fields of a subclass, so that they share no cache line with another object. */
class LineBefore {
    long before0;
    long before1;
    long before2;
    long before3;
    long before4;
    long before5;
    long before6;
    long before7;
    long before8;
    long before9;
    long before10;
    long before11;
    long before12;
    long before13;
    long before14;
    long before15;
}
