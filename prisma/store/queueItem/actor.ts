/** Who did something to an item: shown as `by` in its histories. */
export type Actor = { type: 'user' | 'apiKey' | 'execution'; id: string } | { type: 'platform' };
