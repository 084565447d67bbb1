/** Screens on which tables become cards and graphs become vertical. The style sheets use the same value. */
export const NARROW = '(max-width: 47.99em)';
