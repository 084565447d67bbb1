import { createHash } from 'node:crypto';
import { Problem } from '../../domain/problem.ts';
import { canonicalJson } from '../../domain/workflow/canonical.ts';
import { sealPlace } from '../../engine/secrets/sealPlace.ts';
import { claimKey } from '../../prisma/store/idempotency/claimKey.ts';
import { releaseKey, renewKey, storeAnswer } from '../../prisma/store/idempotency/storeAnswer.ts';
import type { Services } from '../services.ts';
import { problemReply, toProblem } from './problem.ts';
import { Reply } from './reply.ts';
import { replayedAnswer, sealedAnswer, storedAnswer } from './storedAnswer.ts';

const KEEP_MS = 86_400_000;
/** Renewals of a claim within its lease, so that one may fail. */
const RENEWALS = 3;

export interface KeyedRequest {
  params: object;
  query: object;
  body: unknown;
  method: string;
  requestId: string;
  resourceId: string;
  services: Services;
}

export interface KeyScope {
  workspaceId: string;
  /** Scope of the key: the operation, or for webhooks the workflow. */
  operation: string;
  key: string;
  isSecret: boolean;
}

/**
 * Repeats the first answer; 403, 429, 5xx and CONFIRMATION_REQUIRED are not stored and run again. `run` gets the id of
 * the resource to create, the same in each try. Streams run again, too. Throws CONFLICT for another request with the
 * key, or while the first one runs.
 */
export async function answerOnce<Stream = never>(
  request: KeyedRequest,
  scope: KeyScope,
  run: (resourceId: string) => Promise<Reply | Stream>,
): Promise<Reply | Stream> {
  const { services, requestId } = request;
  const { database, config, sealer } = services;
  const { workspaceId, operation, key } = scope;
  const place = sealPlace('idempotency_keys', { workspace_id: workspaceId, operation, key });
  const lockMs = config.IDEMPOTENCY_LOCK_MS;
  const fingerprint = fingerprintOf(request);
  const { resourceId } = request;
  const claim = await claimKey(database, workspaceId, {
    operation,
    key,
    fingerprint,
    resourceId,
    lockMs,
    keepMs: KEEP_MS,
  });
  switch (claim.kind) {
    case 'answered':
      return replayedAnswer(sealer, place, claim.status, claim.answer);
    case 'otherRequest':
      throw new Problem('CONFLICT', 'This Idempotency-Key was used with another request: send a new key');
    case 'running':
      throw new Problem('CONFLICT', 'The first request with this Idempotency-Key is still running: try again later', {
        retryAfter: 1,
      });
    case 'claimed': {
      const claimed = { operation, key, resourceId: claim.resourceId };
      const reply = await whileRenewed(services, workspaceId, claimed, async () => {
        try {
          return await run(claim.resourceId);
        } catch (error) {
          const problem = toProblem(error);
          if (!isKept(problem.status) || problem.code === 'CONFIRMATION_REQUIRED') {
            await settle(services, requestId, releaseKey(database, workspaceId, claimed));
            throw error;
          }
          return problemReply(problem, requestId);
        }
      });
      const settled =
        !(reply instanceof Reply) || !isKept(reply.status)
          ? releaseKey(database, workspaceId, claimed)
          : storeAnswer(
              database,
              workspaceId,
              claimed,
              reply.status,
              scope.isSecret ? sealedAnswer(sealer, place, reply) : storedAnswer(reply),
            );
      await settle(services, requestId, settled);
      return reply;
    }
  }
}

function isKept(status: number): boolean {
  return status !== 403 && status !== 429 && status < 500;
}

/** Keeps the claim while the request runs; after the death of its process another one may take it. */
async function whileRenewed<T>(
  { database, config, log }: Services,
  workspaceId: string,
  claimed: { operation: string; key: string; resourceId: string },
  work: () => Promise<T>,
): Promise<T> {
  const lockMs = config.IDEMPOTENCY_LOCK_MS;
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewKey(database, workspaceId, claimed, lockMs).catch((error: unknown) =>
      log.warn({ err: error }, 'the claim of an Idempotency-Key could not be renewed'),
    );
  }, lockMs / RENEWALS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    // A later renewal would take a released key again.
    await renewing;
  }
}

/** The work is done, so the caller gets its answer even if storing it fails; a retry then creates the same thing. */
async function settle({ log }: Services, requestId: string, writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    log.warn({ err: error, requestId }, 'the answer for an Idempotency-Key could not be stored');
  }
}

/** Equal values are the same request, whatever their formatting. */
function fingerprintOf({ method, params, query, body }: KeyedRequest): Buffer {
  const text = canonicalJson({ method, params, query, body });
  return createHash('sha256').update(text).digest();
}
