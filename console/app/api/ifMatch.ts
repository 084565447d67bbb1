/** The ETag of what was read, for the If-Match of a change. */
export const etagOf = ({ headers }: Response): string | undefined => headers.get('etag') ?? undefined;

/** Options of a change that is 412 where somebody else's came before it. `etag`: of what was read; nothing without one. */
export const ifMatch = (etag: string | undefined): { headers?: { 'if-match': string } } =>
  etag === undefined ? {} : { headers: { 'if-match': etag } };
