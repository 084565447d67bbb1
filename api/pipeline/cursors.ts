import { SealBroken, type Sealer } from '../../engine/secrets/sealer.ts';
import { cursorPlace } from '../../engine/secrets/sealPlace.ts';
import { notOfThisList } from '../../prisma/store/idCursor.ts';
import { Page } from '../operation.ts';
import type { Call, Stage } from './stage.ts';

// Sealed, because the transactions in a cursor over moving rows reveal the activity of other workspaces.

/** Public lists have no workspace. */
const placeOf = ({ caller }: Pick<Call, 'caller'>) => cursorPlace(caller?.workspaceId ?? '');

export const cursor: Stage = async (call, next) => {
  const { cursor: given } = call.query;
  if (typeof given === 'string') call.query = { ...call.query, cursor: opened(call, given) };
  return next();
};

function opened(call: Call, text: string): string {
  // Nonce and tag take 38 characters; for a shorter text the cipher would throw.
  const [, keyId, sealed] = /^([^.]+)\.([\w-]{38,})$/.exec(text) ?? [];
  if (keyId === undefined || sealed === undefined) throw notOfThisList();
  try {
    return call.services.sealer.open(placeOf(call), {
      keyId,
      sealed: new Uint8Array(Buffer.from(sealed, 'base64url')),
    });
  } catch (error) {
    if (error instanceof SealBroken) throw notOfThisList();
    throw error;
  }
}

export function withSealedCursor(call: Pick<Call, 'caller'> & { services: { sealer: Sealer } }, page: Page): Page {
  if (page.nextCursor === undefined) return page;
  const { keyId, sealed } = call.services.sealer.seal(placeOf(call), page.nextCursor);
  return new Page(page.items, `${keyId}.${Buffer.from(sealed).toString('base64url')}`);
}
