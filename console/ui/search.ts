/** The search parameters of a page's address. */
export type Search = Record<string, string | undefined>;
