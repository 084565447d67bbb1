import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.ts';
import type { Executor } from '../executor.ts';
import type { PollCall, PollResult } from '../poller.ts';

export type Got = { kind: 'unchanged' } | { kind: 'body'; body: Json; cursor: Json };

/** Sends the ETag and Last-Modified of the last response, so that an unchanged one is not sent again. */
export async function conditionalGet(
  request: Executor,
  { cursor, connection, workspaceId, signal }: PollCall,
  { headers = {}, ...inputs }: { url: string; headers?: JsonObject; responseType: 'auto' | 'json' | 'text' },
): Promise<Got | Extract<PollResult, { ok: false }>> {
  const known = isJsonObject(cursor) ? cursor : {};
  const result = await request({
    inputs: {
      ...inputs,
      method: 'GET',
      headers: {
        ...headers,
        ...(typeof known.etag === 'string' ? { 'if-none-match': known.etag } : {}),
        ...(typeof known.lastModified === 'string' ? { 'if-modified-since': known.lastModified } : {}),
      },
    },
    ...(connection ? { connection } : {}),
    origin: { workspaceId },
    idempotencyKey: 'poll',
    attempt: 1,
    signal,
  });
  if (!result.ok) return result;
  const answer = result.output as { status: number; headers: Record<string, string>; body: Json };
  if (answer.status === 304) return { kind: 'unchanged' };
  const { etag = null, 'last-modified': lastModified = null } = answer.headers;
  return { kind: 'body', body: answer.body, cursor: { etag, lastModified } };
}
