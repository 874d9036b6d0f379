package dev.substraterouter.examples.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** No more than there is, and what comes back is there again. */
class BodyBudgetTest {
    @Test
    void noMoreIsTakenThanThereIs() {
        BodyBudget budget = new BodyBudget(10);
        assertThat(budget.take(6)).isTrue();
        assertThat(budget.take(5)).isFalse();
        assertThat(budget.take(4)).isTrue();
        assertThat(budget.take(0)).isTrue();
        assertThat(budget).hasToString("10 of 10 bytes");
        budget.giveBack(6);
        assertThat(budget.take(5)).isTrue();
    }
}
