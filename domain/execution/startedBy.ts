import type { Credential } from '../access/credential.ts';

export const STARTED_BY_TYPES = [
  'user',
  'apiKey',
  'webhook',
  'schedule',
  'poll',
  'queue',
  'agent',
  'workflow',
  'draft',
  'retry',
] as const;
export type StartedByType = (typeof STARTED_BY_TYPES)[number];

/** The trigger of an execution and, if known, the person behind it, whom a question may exclude. */
export interface StartedBy {
  type: StartedByType;
  by?: Credential | undefined;
}
