/** Options of a change that is 412 where somebody else's came before it. `tag`: the ETag of what was read; nothing without one. */
export const ifMatch = (tag: string | null | undefined): { headers?: { 'if-match': string } } =>
  tag === null || tag === undefined ? {} : { headers: { 'if-match': tag } };
