/** The longest time of a timer of Node, 24.8 days: one of more is over at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
