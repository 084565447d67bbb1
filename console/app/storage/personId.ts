import type { Perdure } from 'perdure-client';

/** Of the person, or of the key by which one logged in. */
export function personId(me: Awaited<ReturnType<Perdure['getCurrentUser']>>): string {
  return 'id' in me ? me.id : me.apiKey.id;
}
