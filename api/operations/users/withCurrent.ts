import type { Item } from '../../../prisma/store/items.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

/** Adds to each session whether it is the one that asks. */
export function withCurrent(sessions: Item[], { caller }: ResourceRequest): Item[] {
  const own = caller.kind === 'user' ? caller.sessionId : undefined;
  return sessions.map((session) => ({ ...session, isCurrent: session.id === own }));
}
