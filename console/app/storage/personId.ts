import type { Perdure } from 'perdure-client';

/** The id of the person, or of the API key of the login. */
export function personId(me: Awaited<ReturnType<Perdure['getCurrentUser']>>): string {
  return 'id' in me ? me.id : me.apiKey.id;
}
