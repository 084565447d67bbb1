import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** These answers have no body, and a Response with one is refused. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Node's own `fetch` compiles a parser first, which takes longer than a short command. Follows no redirects. */
export const httpFetch: typeof fetch = async (input, init = {}) => {
  const address = new URL(input instanceof Request ? input.url : input);
  const sent = init.body === undefined || init.body === null ? undefined : new Response(init.body);
  const body = sent && Buffer.from(await sent.arrayBuffer());
  const headers = new Headers(init.headers);
  const type = sent?.headers.get('content-type');
  if (type && !headers.has('content-type')) headers.set('content-type', type);
  if (body) headers.set('content-length', String(body.length));
  const { request } = address.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((done, fail) => {
    const { method = 'GET', signal } = init;
    const call = request(
      address,
      { method, headers: Object.fromEntries(headers), ...(signal ? { signal } : {}) },
      (answer) => done(responseOf(answer)),
    );
    call.once('error', fail);
    call.end(body);
  });
};

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (BODILESS.has(status)) answer.resume();
  const body = BODILESS.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText, headers });
}
