import type { Request, Response } from 'express';
import { Answer, type EventStream, Page } from '../operation.ts';
import { jsonReply, Reply } from './reply.ts';

/** Converts an operation's value to an answer. `pageUrl` is the URL of this request, for the link to the next page. */
export function toReply(value: unknown, successStatus: number, pageUrl: () => URL): Reply {
  if (value instanceof Reply) return value;
  if (value instanceof Page) return pageReply(value, successStatus, pageUrl);
  if (value instanceof Answer) return answerReply(value, successStatus);
  return value === undefined ? new Reply(successStatus, {}, undefined) : jsonReply(successStatus, value);
}

function answerReply({ status, headers, body }: Answer, successStatus: number): Reply {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const type = lower['content-type'];
  if (body === undefined) return new Reply(status ?? successStatus, lower, undefined);
  const isText = typeof body === 'string' && type !== undefined && !/[/+]json\b/i.test(type);
  if (isText || Buffer.isBuffer(body)) return new Reply(status ?? successStatus, lower, body);
  return jsonReply(status ?? successStatus, body, lower);
}

function pageReply({ items, nextCursor }: Page, successStatus: number, pageUrl: () => URL): Reply {
  if (nextCursor === undefined) return jsonReply(successStatus, items);
  const next = pageUrl();
  next.searchParams.set('cursor', nextCursor);
  return jsonReply(successStatus, items, { link: `<${next.href}>; rel="next"` });
}

export function urlOf(request: Request, publicUrl: string | undefined): URL {
  return new URL(request.originalUrl, publicUrl ?? `${request.protocol}://${request.get('host') ?? 'localhost'}`);
}

export function sendReply(response: Response, { status, headers, body }: Reply): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === undefined) response.end();
  else {
    // Node would join a string with the head and send both as UTF-8, but a header is Latin-1.
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    response.setHeader('content-length', bytes.length);
    response.end(bytes);
  }
}

export function sendEvents(
  response: Response,
  { events, headers }: EventStream,
  onError: (error: Error) => void,
): void {
  // Its `close` event has fired; data written now would never be read.
  if (response.destroyed) {
    events.destroy();
    return;
  }
  // Interrupted before its answer has begun; end the caller's wait.
  if (events.destroyed) {
    response.destroy();
    return;
  }
  response.statusCode = 200;
  response.setHeader('content-type', 'text/event-stream; charset=utf-8');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Proxies such as nginx would buffer events.
  response.setHeader('x-accel-buffering', 'no');
  response.once('close', () => events.destroy());
  events.once('error', (error) => {
    onError(error);
    response.destroy();
  });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  response.flushHeaders();
  events.pipe(response);
}
