import type { Json } from '../../../domain/json.ts';
import { Prisma } from '../../generated/client.ts';
import { isoTime } from '../resource.ts';

/** The steps of execution `t` as JSON, in the order in which they first appeared. */
export const STEPS_SQL = Prisma.sql`(
  SELECT coalesce(json_agg(json_build_object(
      'id', s.id, 'nodeId', s.node_id, 'label', s.label, 'appId', s.app_id, 'actionId', s.action_id,
      'status', s.status, 'attempt', s.attempt, 'startedAt', ${isoTime(Prisma.sql`s.started_at`)},
      'stoppedAt', ${isoTime(Prisma.sql`s.stopped_at`)}, 'input', s.input, 'output', s.output, 'error', s.error,
      'iteration', s.iteration, 'reused', s.copied_from_id IS NOT NULL) ORDER BY s.position), '[]')
  FROM execution_steps s WHERE s.execution_id = t.id)`;

/** The open questions of execution `t` as JSON, the oldest first. */
export const PENDING_INPUT_SQL = Prisma.sql`(
  SELECT coalesce(json_agg(json_build_object(
      'nodeId', p.node_id, 'stepId', p.id, 'label', p.label, 'title', p.title, 'fields', p.fields,
      'instructions', p.instructions, 'requestedAt', ${isoTime(Prisma.sql`p.requested_at`)},
      'expiresAt', ${isoTime(Prisma.sql`p.expires_at`)}, 'iteration', p.iteration)
    ORDER BY p.requested_at, p.id), '[]')
  FROM pending_inputs p WHERE p.execution_id = t.id AND p.status = 'OPEN')`;

/** A row of STEPS_SQL. */
export type StepRow = Record<'id' | 'nodeId' | 'label' | 'status' | 'iteration', string> &
  Record<'appId' | 'actionId' | 'startedAt' | 'stoppedAt', string | null> & {
    attempt: number;
    input: Json;
    output: Json;
    error: Json;
    reused: boolean;
  };

/** Rows of STEPS_SQL as entries of `executionPath` (decisions.md 4); icons come from the catalogue, in api. */
export function executionPath(rows: Json): Json {
  return (rows as unknown as StepRow[]).map(stepOf);
}

function stepOf({ error, iteration, reused, ...row }: StepRow): Json {
  return {
    ...row,
    durationMs:
      row.startedAt === null || row.stoppedAt === null ? null : Date.parse(row.stoppedAt) - Date.parse(row.startedAt),
    ...(error === null ? {} : { error }),
    ...(reused ? { reused } : {}),
    iteration: iterationOf(iteration),
  };
}

/** Rows of PENDING_INPUT_SQL as entries of `pendingInput`: what there is not is left out. */
export function pendingInput(rows: Json): Json {
  return (rows as Record<string, Json>[]).map(({ iteration, ...row }) => ({
    ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    iteration: iterationOf(String(iteration)),
  }));
}

/** `outer:3/inner:0` as `[{nodeId: 'outer', index: 3}, {nodeId: 'inner', index: 0}]`. */
function iterationOf(text: string): Json {
  if (text === '') return [];
  return text.split('/').map((part) => {
    const colon = part.lastIndexOf(':');
    return { nodeId: part.slice(0, colon), index: Number(part.slice(colon + 1)) };
  });
}
