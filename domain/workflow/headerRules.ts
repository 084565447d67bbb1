export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Values that Node can send. No control characters; a line break could inject a header. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers about framing and hops, which belong to the connection. */
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
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  ...CONNECTION_HEADERS,
  'content-encoding',
  'date',
  'proxy-authenticate',
  'server',
]);

/** Headers that affect the whole origin, which the API and other tenants share. */
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

/** Allowed headers, in addition to `content-…`, `access-control-…` and `x-…`. */
const OF_AN_ANSWER: ReadonlySet<string> = new Set([
  'cache-control',
  'etag',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'vary',
]);
const FAMILIES = /^(content|access-control|x)-/;
/**
 * `x-` headers that proxies obey (nginx serves local files by `X-Accel-Redirect`, Apache and lighttpd by `X-Sendfile`),
 * that browsers obey instead of the server's headers, or that identify the caller.
 */
const OBEYED =
  /^x-(accel-|sendfile|lighttpd-|litespeed-|reproxy-|forwarded|real-ip$|original-|rewrite-|frame-options$|content-type-options$|content-security-policy|webkit-csp|xss-protection$|dns-prefetch-control$|download-options$|permitted-cross-domain-policies$|ua-compatible$)/;

/** Unknown names are rejected: only names that are known as harmless pass. */
export function headerNameProblem(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return 'is not a valid header name';
  const lower = name.toLowerCase();
  if (OF_THE_CONNECTION.has(lower)) return 'is set by the server: a workflow cannot send it';
  if (OF_THE_ORIGIN.has(lower)) return 'would apply to every answer of this server: a workflow cannot send it';
  if (OBEYED.test(lower)) return 'has an effect on proxies or browsers: a workflow cannot send it';
  if (OF_AN_ANSWER.has(lower) || FAMILIES.test(lower)) return undefined;
  return `is not allowed in a workflow's response: expected ${[...OF_AN_ANSWER].join(', ')}, content-…, access-control-… or x-…`;
}

/** JavaScript's media types (WHATWG MIME Sniffing). */
const JAVASCRIPT =
  /^(application\/(x-)?(ecma|java)script|text\/(x-)?(ecma|java)script|text\/javascript1\.[0-5]|text\/(j|live)script)$/;

/** Scripts need a separate origin for webhooks (`mayScript`): pages of the API's origin could be made to run them. */
export function headerValueProblem(name: string, value: string, mayScript: boolean): string | undefined {
  if (/[\r\n\0]/.test(value)) return 'a header value cannot contain line breaks';
  if (!HEADER_VALUE.test(value)) return 'expected Latin-1 characters without control characters';
  if (mayScript || name.toLowerCase() !== 'content-type' || !value.split(',').some(isJavascript)) return undefined;
  return 'a workflow cannot send JavaScript: it would run on the origin of this server (WEBHOOK_URL gives webhooks another one)';
}

function isJavascript(contentType: string): boolean {
  return JAVASCRIPT.test((contentType.split(';')[0] ?? '').trim().toLowerCase());
}
