import type { Actor } from '../../prisma/store/queueItem/history.ts';
import type { Caller } from '../operation.ts';

export function actorOf(caller: Caller): Actor {
  return caller.kind === 'user' ? { type: 'user', id: caller.userId } : { type: 'apiKey', id: caller.apiKeyId };
}
