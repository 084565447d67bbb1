import type { RevealSecrets, StoredSecret } from '../../../domain/execution/keptSecret.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import type { Json } from '../../../domain/json.ts';
import { Prisma } from '../../generated/client.ts';
import { isoTime } from '../resource.ts';
import { SECRETS_SQL } from './secrets.ts';
import { iterationOf } from './shownStep.ts';

/** A loop may have thousands. */
const MAX_STEPS = 10;

/** Only open executions have such steps. The index of retrying steps is small. */
const MAY_RETRY = Prisma.sql`t.status IN ('RUNNING', 'WAITING', 'NEEDS_INPUT')`;

/** EXISTS, because IN would read all retrying steps for each execution. */
export const RETRYING = Prisma.sql`(${MAY_RETRY} AND EXISTS (SELECT FROM execution_steps s
  WHERE s.workspace_id = t.workspace_id AND s.execution_id = t.id AND s.status = 'RETRYING'))`;

/** Selects null if there are none. */
export const RETRYING_STEPS = Prisma.sql`CASE WHEN ${MAY_RETRY} THEN (
  SELECT json_build_object('secrets', ${SECRETS_SQL}, 'steps', json_agg(json_build_object('nodeId', s.node_id,
    'stepId', s.id, 'label', s.label, 'iteration', s.iteration, 'attempt', s.attempt, 'wakeAt', ${isoTime(Prisma.sql`s.wake_at`)},
    'error', s.error) ORDER BY s.wake_at, s.position))
  FROM next_attempts(t.workspace_id, t.id, ${Prisma.raw(String(MAX_STEPS))}) s
  HAVING count(*) > 0) END`;

const MAX_MESSAGE_LENGTH = 1_000;

interface RetryingRow {
  nodeId: string;
  stepId: string;
  label: string;
  iteration: string;
  attempt: number;
  wakeAt: string | null;
  error: { code: string; message: string } | null;
}

export function shownRetryingSteps(rows: Json, open: RevealSecrets): Json {
  if (rows === null) return [];
  const { secrets, steps } = rows as unknown as { secrets: StoredSecret[]; steps: RetryingRow[] };
  const texts = open(secrets);
  return steps.map(({ error, iteration, ...step }) => ({
    ...step,
    iteration: iterationOf(iteration, new Map()),
    ...(error === null
      ? {}
      : { error: { code: error.code, message: maskSecrets(error.message, texts).slice(0, MAX_MESSAGE_LENGTH) } }),
  }));
}
