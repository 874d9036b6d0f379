/**
 * What the library tests itself with, for the tests of its hosts: statuses, policies, requests and whole stories at random, time driven by
 * hand, work by a script, a check for leaks. Needs the router and jqwik; the contract of batch queues needs JUnit Jupiter instead.
 */
@NullMarked
package dev.substraterouter.testkit;

import org.jspecify.annotations.NullMarked;
