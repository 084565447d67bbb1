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
  /** The execution before. */
  ofId: string;
  /** The present version of its workflow, and the version to run; both absent for an ad-hoc run. */
  headVersionId?: string;
  versionId?: string;
  /** Undefined: that of the execution before. */
  trigger: Json | undefined;
  /** Texts of the trigger that nobody may read. */
  secrets?: readonly string[];
  variables: VariableSelection;
  requestId: string;
  /** The caller who retries it. */
  by: Credential;
  keeping: Keeping;
  /** Accept it although a retry has completed. */
  again?: boolean;
  /** As of a NewExecution. */
  trace?: Trace | undefined;
  /** Ended iterations that it takes over at once: takeOverBatch does the others. */
  most: number;
}

/**
 * `exists`: the execution, already. `absent`: the one before is not there, or open. `stale`: its workflow is not at
 * `headVersionId` any longer, or not active. `retried`: the one before has a retry that is open, or COMPLETED without `again`. Only `created` and `held` (it may not begin yet) have written something.
 */
export type RetryOutcome = 'created' | 'held' | 'exists' | 'absent' | 'stale' | 'retried';

export interface RetryCreation {
  outcome: RetryOutcome;
  /** It counts towards the limit of its workflow. */
  limited: boolean;
  /** Iterations are left to be taken over. */
  takesOver: boolean;
  /** If `retried`. */
  liveRetry: LiveRetry | null;
}

const ANSWER = Prisma.sql`outcome, limited, takes_over AS "takesOver", live_retry AS "liveRetry"`;

/** PENDING row of a retry and what it takes over, as far as one statement goes. */
export async function createRetry(database: Database, workspaceId: string, retry: NewRetry): Promise<RetryCreation> {
  const { id, ofId, headVersionId = null, versionId = null, trigger, variables, requestId, keeping } = retry;
  const { by, secrets = [], trace, most, again = false } = retry;
  const call = Prisma.sql`accept_retry(${workspaceId}::uuid, ${ofId}::uuid, ${id}::uuid, ${headVersionId}::uuid,
      ${versionId}::uuid, ${trigger === undefined ? null : JSON.stringify(trigger)}::jsonb,
      ${variables === 'all' ? null : variables.names}::text[], ${requestId}, ${by.type}, ${by.id}::uuid,
      ${JSON.stringify(keeping.progress)}::jsonb, ${keepOf(keeping, most)}, ${trace ? traceText(trace) : null},
      ${again})`;
  const written = Prisma.sql`1 FROM c WHERE outcome IN ('created', 'held')`;
  // Raw: the check, the row and the copied steps are one call of a function.
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

/** The argument of begin_take_over; the rules are for loops that resume. */
export function keepOf({ kept, opened, rules, failedItems }: Keeping, most: number): Prisma.Sql {
  return Prisma.sql`${JSON.stringify({ kept, opened, rules: opened.length === 0 ? [] : rules, failedItems, most })}::jsonb`;
}
