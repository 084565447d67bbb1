export const etagOf = ({ headers }: Response): string | undefined => headers.get('etag') ?? undefined;

/** With these options, a change fails with 412 if another change came first. No options without an ETag. */
export const ifMatch = (etag: string | undefined): { headers?: { 'if-match': string } } =>
  etag === undefined ? {} : { headers: { 'if-match': etag } };
