import { iterationParts, loopKey } from '../../../domain/execution/iteration.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import type { ReadLimits } from '../../../domain/execution/readLimits.ts';
import type { ConsoleLine } from '../../../domain/execution/stepRecord.ts';
import type { Json } from '../../../domain/json.ts';
import { Prisma } from '../../generated/client.ts';
import { isoTime } from '../resource.ts';

/** Row `s` of execution_steps as JSON: what `shownStep` takes. */
export function stepJson({ inlineBytes }: ReadLimits): Prisma.Sql {
  const inline = (column: Prisma.Sql) =>
    Prisma.sql`CASE WHEN s.${column}_bytes <= ${inlineBytes}::int THEN s.${column} END`;
  const bytes = (column: Prisma.Sql) =>
    Prisma.sql`CASE WHEN s.${column}_bytes > ${inlineBytes}::int THEN s.${column}_bytes END`;
  const input = Prisma.sql`input`;
  const output = Prisma.sql`output`;
  return Prisma.sql`json_build_object(
    'id', s.id, 'executionId', s.execution_id, 'nodeId', s.node_id, 'label', s.label, 'appId', s.app_id,
    'actionId', s.action_id, 'status', s.status, 'attempt', s.attempt, 'startedAt', ${isoTime(Prisma.sql`s.started_at`)},
    'stoppedAt', ${isoTime(Prisma.sql`s.stopped_at`)}, 'input', ${inline(input)}, 'inputBytes', ${bytes(input)},
    'output', ${inline(output)}, 'outputBytes', ${bytes(output)}, 'error', s.error, 'iteration', s.iteration,
    'reused', s.copied_from_id IS NOT NULL,
    'console', (SELECT k.lines FROM step_consoles k WHERE k.execution_id = s.execution_id AND k.node_id = s.node_id
      AND k.iteration = s.iteration AND k.attempt = s.attempt),
    'total', s.iterations_total, 'completed', s.iterations_completed, 'failed', s.iterations_failed)`;
}

/**
 * The texts of execution `t` that nobody may read: what was submitted to `secret` fields of its questions, of those
 * before it that it is a retry of (their steps are copied), and of the manual trigger. JSON: a list of texts.
 */
export const SECRETS_SQL = Prisma.sql`(
  SELECT coalesce(json_agg(secret.value), '[]') FROM (
    SELECT s.value -> 'values' ->> (f.value ->> 'key') AS value
    FROM pending_inputs p, jsonb_array_elements(p.fields) f, jsonb_array_elements(p.submissions) s
    WHERE p.execution_id = ANY (ARRAY(
        WITH RECURSIVE tries AS (
          SELECT t.id, t.retry_of_id
          UNION
          SELECT b.id, b.retry_of_id FROM tries r JOIN executions b
            ON b.id = r.retry_of_id AND b.workspace_id = t.workspace_id
        ) SELECT id FROM tries))
      AND f.value ->> 'type' = 'secret'
    UNION ALL
    SELECT t.trigger ->> (f.value ->> 'key')
    FROM workflow_versions v, jsonb_path_query(v.definition, 'lax $.trigger.config.fields[*]') AS f(value)
    WHERE v.id = t.version_id AND f.value ->> 'type' = 'secret'
  ) secret WHERE secret.value <> '')`;

/** What stepJson makes. */
export type StepRow = Record<'id' | 'executionId' | 'nodeId' | 'label' | 'status' | 'iteration', string> &
  Record<'appId' | 'actionId' | 'startedAt' | 'stoppedAt', string | null> &
  Record<'inputBytes' | 'outputBytes' | 'total' | 'completed' | 'failed', number | null> & {
    attempt: number;
    reused: boolean;
    input: Json;
    output: Json;
    error: Json;
    console: ConsoleLine[] | null;
  };

/** How many iterations loops have, by their loopKey; null where it is not known. */
export type LoopTotals = ReadonlyMap<string, number | null>;

export function loopTotals(rows: readonly StepRow[]): LoopTotals {
  return new Map(rows.map(({ iteration, nodeId, total }) => [loopKey(iteration, nodeId), total]));
}

/** An entry of `executionPath` (decisions.md 4); icons come from the catalogue, in api. */
export function shownStep(row: StepRow, secrets: readonly string[], totals?: LoopTotals): Json {
  const { executionId, inputBytes, outputBytes, error, iteration, reused, total, completed, failed, ...rest } = row;
  const { console: lines, ...shown } = rest;
  const { id, startedAt, stoppedAt } = row;
  const place = `/api/executions/${executionId}/steps/${id}`;
  return {
    ...shown,
    durationMs: startedAt === null || stoppedAt === null ? null : Date.parse(stoppedAt) - Date.parse(startedAt),
    input: maskSecrets(row.input, secrets),
    ...(inputBytes === null ? {} : { inputLink: `${place}/input`, inputBytes }),
    output: maskSecrets(row.output, secrets),
    ...(outputBytes === null ? {} : { outputLink: `${place}/output`, outputBytes }),
    ...(error === null ? {} : { error: maskSecrets(error, secrets) }),
    ...(reused ? { reused } : {}),
    ...(lines ? { console: lines.map(({ level, text }) => ({ level, text: maskSecrets(text, secrets) })) } : {}),
    iteration: iterationOf(iteration, totals),
    ...(completed === null
      ? {}
      : { iterations: { ...(total === null ? {} : { total }), completed, failed: failed ?? 0 } }),
  };
}

/** `outer:3/inner:0` as `[{nodeId: 'outer', index: 3}, {nodeId: 'inner', index: 0}]`, with `total` where it is known. */
export function iterationOf(text: string, totals?: LoopTotals): Json {
  return iterationParts(text).map(({ parent, loopId, index }) => {
    const total = totals?.get(loopKey(parent, loopId)) ?? null;
    return { nodeId: loopId, index, ...(total === null ? {} : { total }) };
  });
}
