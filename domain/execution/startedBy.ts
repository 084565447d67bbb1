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
  'retry',
] as const;
export type StartedByType = (typeof STARTED_BY_TYPES)[number];

/** What started an execution, and on whose behalf if known: a question may exclude this person. */
export interface StartedBy {
  type: StartedByType;
  by?: Credential | undefined;
}
