import { createHash } from 'node:crypto';
import { Problem } from '../../domain/problem.ts';
import { claimKey, type StoredAnswer } from '../../prisma/store/idempotency/claimKey.ts';
import { releaseKey, storeAnswer } from '../../prisma/store/idempotency/storeAnswer.ts';
import type { Services } from '../services.ts';
import { problemReply, toProblem } from './problem.ts';
import { Reply } from './reply.ts';

const KEEP_MS = 86_400_000;
/** A claim without answer whose process died is taken over after this, or after a synchronous run's time. */
const LOCK_MS = 30_000;

/** The parts of a request that make it the same request again. */
export interface KeyedRequest {
  params: object;
  query: object;
  rawBody: Buffer;
  method: string;
  requestId: string;
  resourceId: string;
  services: Services;
}

export interface KeyScope {
  workspaceId: string;
  operationId: string;
  key: string;
  /** The answer may wait for an execution. */
  waits: boolean;
}

/**
 * Runs a request once per Idempotency-Key and gives its first answer again, problems below 500 included.
 * `run` gets the id for what it makes: the same again after a crash or a failure, so that it makes it once.
 * Throws CONFLICT for another request under the key, or one that still runs.
 */
export async function answerOnce(
  request: KeyedRequest,
  scope: KeyScope,
  run: (resourceId: string) => Promise<Reply>,
): Promise<Reply> {
  const { services, requestId } = request;
  const { workspaceId, operationId: operation, key } = scope;
  const claim = await claimKey(services.database, workspaceId, {
    operation,
    key,
    fingerprint: fingerprintOf(request),
    resourceId: request.resourceId,
    lockMs: scope.waits ? LOCK_MS + services.config.SYNC_RUN_TIMEOUT_MS : LOCK_MS,
    keepMs: KEEP_MS,
  });
  switch (claim.kind) {
    case 'answered':
      return replayed(claim.status, claim.answer);
    case 'otherRequest':
      throw new Problem('CONFLICT', 'This Idempotency-Key was used with another request');
    case 'running':
      throw new Problem('CONFLICT', 'The first request with this Idempotency-Key is still running', { retryAfter: 1 });
    case 'claimed': {
      const claimed = { operation, key, resourceId: claim.resourceId };
      let reply: Reply;
      try {
        reply = await run(claim.resourceId);
      } catch (error) {
        const problem = toProblem(error);
        if (problem.status >= 500 && problem.code !== 'EXECUTION_FAILED') {
          await settle(services, requestId, releaseKey(services.database, workspaceId, claimed));
          throw error;
        }
        reply = problemReply(problem, requestId);
      }
      const answer = stored(reply);
      await settle(services, requestId, storeAnswer(services.database, workspaceId, claimed, reply.status, answer));
      return reply;
    }
  }
}

/** The work is done: the caller gets its answer also when keeping it fails; a retry then makes the same thing. */
async function settle({ log }: Services, requestId: string, writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    log.warn({ err: error, requestId }, 'the answer under an Idempotency-Key was not kept');
  }
}

function fingerprintOf({ method, params, query, rawBody }: KeyedRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, params, query]))
    .update(rawBody)
    .digest();
}

function stored({ headers, body }: Reply): StoredAnswer {
  return {
    headers,
    body: body === undefined ? null : Buffer.isBuffer(body) ? body.toString('base64') : body,
    isBase64: Buffer.isBuffer(body),
  };
}

function replayed(status: number, { headers, body, isBase64 }: StoredAnswer): Reply {
  const content = body === null ? undefined : isBase64 ? Buffer.from(body, 'base64') : body;
  return new Reply(status, { ...headers, 'idempotency-replayed': 'true' }, content);
}
