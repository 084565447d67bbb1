/** A token of RFC 9110. */
export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Values that Node sends: without line breaks, which could inject a header, and without control characters. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers of framing and hops: they belong to the connection. */
export const CONNECTION_HEADERS = [
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const;
/** Not of an answer: the server's own to say. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([...CONNECTION_HEADERS, 'proxy-authenticate']);

/** Headers with an effect on the whole origin, which the API and other tenants share. */
const OF_THE_ORIGIN: ReadonlySet<string> = new Set([
  'accept-ch',
  'alt-svc',
  'clear-site-data',
  'nel',
  'origin-agent-cluster',
  'public-key-pins',
  'report-to',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'set-login',
  'strict-transport-security',
]);

/** Why an answer cannot have a header of this name. */
export function headerNameProblem(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return 'is not a valid header name';
  const lower = name.toLowerCase();
  if (OF_THE_CONNECTION.has(lower)) return 'is set by the server: a workflow cannot send it';
  return OF_THE_ORIGIN.has(lower) ? 'would apply to every answer of this server: a workflow cannot send it' : undefined;
}

/** Why a header cannot have this value. */
export function headerValueProblem(value: string): string | undefined {
  if (/[\r\n\0]/.test(value)) return 'a header value cannot contain line breaks';
  return HEADER_VALUE.test(value) ? undefined : 'expected Latin-1 characters without control characters';
}
