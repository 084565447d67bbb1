import { createHash } from 'node:crypto';
import type { Json } from '../json.ts';
import { canonicalJson } from './canonical.ts';
import type { PollConfig } from './definition.ts';

/** What a poll looks at, as a short text: another app, trigger, input or connection is another source. */
export function pollSource({ appId, triggerId, inputs = {}, connectionId }: PollConfig): string {
  const source = canonicalJson({ appId, triggerId, inputs, connectionId: connectionId ?? null } as Json);
  return createHash('sha256').update(source).digest('hex').slice(0, 32);
}
