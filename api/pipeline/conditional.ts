import { createHash } from 'node:crypto';
import { Problem } from '../../domain/problem.ts';
import { type Expected, rowTagOf } from '../../prisma/store/rowTag.ts';
import { Reply } from './reply.ts';
import type { Stage } from './stage.ts';

/**
 * RFC 9110, 13. An ETag is `"<row>/<answer>"`: If-Match compares the row's tag, so that the ETag of any expansion suits
 * a write; If-None-Match the digest of the answer. The write itself compares the row (prisma/store/rowTag.ts).
 */
export const conditional: Stage = async (call, next) => {
  const { route, request } = call;
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  if (route.takesIfMatch && match !== undefined) call.expected = expectedBy(match);
  const result = await next();
  if (!route.hasETag || !(result instanceof Reply) || result.status !== route.successStatus) return result;
  const etag = etagOf(rowTagOf(call.answered), result);
  const headers: Record<string, string> = { ...result.headers, etag };
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && noneMatch !== undefined && isKnown(noneMatch, etag)) {
    const { 'content-type': _, ...kept } = headers;
    return new Reply(304, kept, undefined);
  }
  return new Reply(result.status, headers, result.body);
};

function etagOf(row: string | undefined, { body = '' }: Reply): string {
  const answer = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return `"${row === undefined ? '' : `${row}/`}${answer}"`;
}

const ONE = /(?:W\/)?"([^"]*)"/g;
const LIST = /^\s*(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*\s*$/;

/** Accepts tags that a proxy has weakened, since the tag names the row, not the bytes. */
function expectedBy(header: string): Expected {
  if (header.trim() === '*') return 'any';
  return opaque('If-Match', header).map((tag) => tag.split('/', 1)[0] ?? '');
}

function isKnown(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  return LIST.test(header) && opaque('If-None-Match', header).includes(etag.slice(1, -1));
}

function opaque(name: string, header: string): string[] {
  if (!LIST.test(header)) {
    const message = 'expected *, or the ETag of a read as it came, in quotes';
    throw new Problem('VALIDATION_FAILED', `${name}: ${message}`, { errors: [{ path: name, message }] });
  }
  return [...header.matchAll(ONE)].map(([, tag = '']) => tag);
}
