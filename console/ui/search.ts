/** What stands in the address of a page after its `?`, as texts. */
export type Search = Record<string, string | undefined>;
