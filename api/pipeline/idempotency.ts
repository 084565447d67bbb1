import { createHash } from 'node:crypto';
import { Problem } from '../../domain/problem.ts';
import { canonicalJson } from '../../domain/workflow/canonical.ts';
import { sealPlace } from '../../engine/secrets/sealPlace.ts';
import { claimKey } from '../../prisma/store/idempotency/claimKey.ts';
import { releaseKey, renewKey, storeAnswer } from '../../prisma/store/idempotency/storeAnswer.ts';
import type { Services } from '../services.ts';
import { keptAnswer, replayedAnswer, sealedAnswer } from './keptAnswer.ts';
import { problemReply, toProblem } from './problem.ts';
import { Reply } from './reply.ts';

const KEEP_MS = 86_400_000;
/** Renewals of a claim within its lease: one may fail. */
const RENEWALS = 3;

/** The parts of a request that make it the same request again. */
export interface KeyedRequest {
  params: object;
  query: object;
  /** As a value: undefined where there is none. */
  body: unknown;
  method: string;
  requestId: string;
  resourceId: string;
  services: Services;
}

export interface KeyScope {
  workspaceId: string;
  /** The scope of a key: the operation, or for webhooks the workflow. */
  operation: string;
  key: string;
  /** The answer holds a secret that is shown once. */
  isSecret: boolean;
}

/**
 * Runs a request once per Idempotency-Key and repeats its first answer, except 403, 429, 5xx and CONFIRMATION_REQUIRED, after which a
 * retry runs again. `run` gets the id of the resource that it creates, the same in each try, so that it creates one. A stream is not
 * kept: each try is a stream of the same resource. Throws CONFLICT for another request under the key, and while the first
 * one runs.
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
              scope.isSecret ? sealedAnswer(sealer, place, reply) : keptAnswer(reply),
            );
      await settle(services, requestId, settled);
      return reply;
    }
  }
}

/** Answers that may change in a retry are not kept. */
function isKept(status: number): boolean {
  return status !== 403 && status !== 429 && status < 500;
}

/** Nobody takes the key over while its request runs, however long; after its process has died, somebody may. */
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
      log.warn({ err: error }, 'the claim of an Idempotency-Key was not renewed'),
    );
  }, lockMs / RENEWALS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    // After the end it would take a key that was released again.
    await renewing;
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

/** Equal values are the same request, however their text has been written. */
function fingerprintOf({ method, params, query, body }: KeyedRequest): Buffer {
  const text = canonicalJson({ method, params, query, body });
  return createHash('sha256').update(text).digest();
}
