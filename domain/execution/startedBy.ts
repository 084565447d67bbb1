import type { Credential } from '../access/credential.ts';

export type StartedByType =
  | 'user'
  | 'apiKey'
  | 'webhook'
  | 'schedule'
  | 'poll'
  | 'queue'
  | 'agent'
  | 'workflow'
  | 'retry';

/** What started an execution, and on whose behalf where that is known: a question may exclude the person. */
export interface StartedBy {
  type: StartedByType;
  by?: Credential | undefined;
}
