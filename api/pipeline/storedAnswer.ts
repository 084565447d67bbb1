import { Problem } from '../../domain/problem.ts';
import { SealBroken, type Sealer } from '../../engine/secrets/sealer.ts';
import type { SealPlace } from '../../engine/secrets/sealPlace.ts';
import type { StoredAnswer } from '../../prisma/store/idempotency/claimKey.ts';
import { Reply } from './reply.ts';

export function storedAnswer({ headers, body }: Reply): StoredAnswer {
  return {
    headers,
    body: body === undefined ? null : Buffer.isBuffer(body) ? body.toString('base64') : body,
    isBase64: Buffer.isBuffer(body),
  };
}

export function sealedAnswer(sealer: Sealer, place: SealPlace, reply: Reply): StoredAnswer {
  const answer = storedAnswer(reply);
  if (answer.body === null) return answer;
  return { ...answer, body: null, sealed: sealer.seal(place, answer.body) };
}

/** Restores the first answer. Throws CONFLICT if the key that sealed it is gone. */
export function replayedAnswer(sealer: Sealer, place: SealPlace, status: number, answer: StoredAnswer): Reply {
  const { headers, isBase64 } = answer;
  const text = opened(sealer, place, answer);
  const content = text === null ? undefined : isBase64 ? Buffer.from(text, 'base64') : text;
  return new Reply(status, { ...headers, 'idempotency-replayed': 'true' }, content);
}

function opened(sealer: Sealer, place: SealPlace, { body, sealed }: StoredAnswer): string | null {
  if (sealed === undefined) return body;
  try {
    return sealer.open(place, sealed);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new Problem(
      'CONFLICT',
      'The stored answer was sealed with an ENCRYPTION_KEY that is gone; use another Idempotency-Key',
      {
        cause: error,
      },
    );
  }
}
