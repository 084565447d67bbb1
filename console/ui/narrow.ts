/** Screens on which tables are cards and graphs go from above to below: as the styles have it. */
export const NARROW = '(max-width: 47.99em)';
