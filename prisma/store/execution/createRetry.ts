import type { Credential } from '../../../domain/access/credential.ts';
import type { Keeping } from '../../../domain/execution/executionRetry.ts';
import type { Json } from '../../../domain/json.ts';
import { type Trace, traceText } from '../../../domain/trace/trace.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { VariableSelection } from './createExecution.ts';
import type { LiveRetry } from './readRetrySource.ts';
import { keepSecrets, rootOf } from './secrets.ts';

export interface NewRetry {
  id: string;
  ofId: string;
  /** The current version of its workflow, and the version to run; both absent for one with its own definition. */
  headVersionId?: string;
  versionId?: string;
  /** Undefined: the trigger of the execution before. */
  trigger: Json | undefined;
  /** Texts of the trigger to mask. */
  secrets?: readonly string[];
  variables: VariableSelection;
  requestId: string;
  by: Credential;
  keeping: Keeping;
  /** Accept it even if a retry has completed. */
  again?: boolean;
  trace?: Trace | undefined;
  /** Maximum of ended iterations to take over at once. */
  most: number;
}

/**
 * `absent`: the execution before is missing or open. `stale`: its workflow is inactive or no longer at `headVersionId`.
 * `retried`: a retry is open, or COMPLETED without `again`. Only `created` and `held` wrote something.
 */
export type RetryOutcome = 'created' | 'held' | 'exists' | 'absent' | 'stale' | 'retried';

export interface RetryCreation {
  outcome: RetryOutcome;
  limited: boolean;
  takesOver: boolean;
  liveRetry: LiveRetry | null;
}

const ANSWER = Prisma.sql`outcome, limited, takes_over AS "takesOver", live_retry AS "liveRetry"`;

/** The rest is for takeOverBatch. */
export async function createRetry(database: Database, workspaceId: string, retry: NewRetry): Promise<RetryCreation> {
  const { id, ofId, headVersionId = null, versionId = null, trigger, variables, requestId, keeping } = retry;
  const { by, secrets = [], trace, most, again = false } = retry;
  const call = Prisma.sql`accept_retry(${workspaceId}::uuid, ${ofId}::uuid, ${id}::uuid, ${headVersionId}::uuid,
      ${versionId}::uuid, ${trigger === undefined ? null : JSON.stringify(trigger)}::jsonb,
      ${variables === 'all' ? null : variables.names}::text[], ${requestId}, ${by.type}, ${by.id}::uuid,
      ${JSON.stringify(keeping.progress)}::jsonb, ${keepOf(keeping, most)}, ${trace ? traceText(trace) : null},
      ${again})`;
  const written = Prisma.sql`1 FROM c WHERE outcome IN ('created', 'held')`;
  const [row] = await database.$queryRaw<RetryCreation[]>(
    secrets.length === 0
      ? Prisma.sql`SELECT ${ANSWER} FROM ${call}`
      : Prisma.sql`WITH c AS MATERIALIZED (SELECT * FROM ${call}),
          secrets AS (${keepSecrets(workspaceId, rootOf(workspaceId, ofId), secrets, written)})
        SELECT ${ANSWER} FROM c`,
  );
  if (!row) throw new Error('a function without a value');
  return row;
}

/** Builds the argument of begin_take_over; the rules are for loops that resume. */
export function keepOf({ kept, opened, rules, failedItems }: Keeping, most: number): Prisma.Sql {
  return Prisma.sql`${JSON.stringify({ kept, opened, rules: opened.length === 0 ? [] : rules, failedItems, most })}::jsonb`;
}
