import type { Perdure } from 'perdure-client';

export function personId(me: Awaited<ReturnType<Perdure['getCurrentUser']>>): string {
  return 'id' in me ? me.id : me.apiKey.id;
}
