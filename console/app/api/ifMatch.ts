export const etagOf = ({ headers }: Response): string | undefined => headers.get('etag') ?? undefined;

/** Options that make a change fail with 412 if another change came first. None without an ETag. */
export const ifMatch = (etag: string | undefined): { headers?: { 'if-match': string } } =>
  etag === undefined ? {} : { headers: { 'if-match': etag } };
