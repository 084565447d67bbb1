import { iterationParts, loopKey } from '../../../domain/execution/iteration.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import type { ReadLimits } from '../../../domain/execution/readLimits.ts';
import type { ConsoleLine } from '../../../domain/execution/stepRecord.ts';
import type { Json } from '../../../domain/json.ts';
import { Prisma } from '../../generated/client.ts';
import { isoTime } from '../resource.ts';
import { AWAITED_APPROVAL, WAITS_FOR_APPROVAL } from './stepWaits.ts';
import { AWAITED_QUEUE, noWorkerPolls } from './workerWaits.ts';

/** Values up to this size are always included. Bytes of JSON. */
const ALWAYS_SHOWN_BYTES = 256;

/** Shows values from the newest step on, up to `pathBytes` in total and `inlineBytes` each; otherwise sizes. */
export function stepsJson({ inlineBytes, pathBytes }: ReadLimits, steps: Prisma.Sql): Prisma.Sql {
  const counted = (column: Prisma.Sql) =>
    Prisma.sql`CASE WHEN s.${column} <= ${inlineBytes}::int THEN s.${column} ELSE 0 END`;
  const shown = (column: Prisma.Sql) => Prisma.sql`CASE WHEN s.${column}_bytes <= s.shown_bytes THEN s.${column} END`;
  const large = (column: Prisma.Sql) =>
    Prisma.sql`CASE WHEN s.${column}_bytes > s.shown_bytes THEN s.${column}_bytes END`;
  const input = Prisma.sql`input`;
  const output = Prisma.sql`output`;
  return Prisma.sql`(
    SELECT coalesce(json_agg(json_build_object(
      'id', s.id, 'executionId', s.execution_id, 'nodeId', s.node_id, 'label', s.label, 'appId', s.app_id,
      'actionId', s.action_id, 'status', s.status, 'attempt', s.attempt, 'handle', s.handle,
      'startedAt', ${isoTime(Prisma.sql`s.started_at`)}, 'stoppedAt', ${isoTime(Prisma.sql`s.stopped_at`)},
      'input', ${shown(input)}, 'inputBytes', ${large(input)},
      'output', ${shown(output)}, 'outputBytes', ${large(output)}, 'error', s.error, 'iteration', s.iteration,
      'wakeAt', ${isoTime(Prisma.sql`s.wake_at`)}, 'awaitedApproval', ${AWAITED_APPROVAL},
      'awaitedQueue', ${AWAITED_QUEUE}, 'attempts', s.attempts,
      'attemptStartedAt', ${isoTime(Prisma.sql`s.attempt_started_at`)},
      'reused', s.copied_from_id IS NOT NULL, 'reusedFrom', s.reused_from_id,
      'console', CASE WHEN s.fits THEN s.lines END, 'consoleBytes', CASE WHEN NOT s.fits THEN s.console_bytes END,
      'total', s.iterations_total, 'completed', s.iterations_completed, 'failed', s.iterations_failed, 'kept', s.iterations_kept
    ) ORDER BY s.position), '[]')
    FROM (
      SELECT s.*, CASE WHEN s.fits THEN ${inlineBytes}::int ELSE ${ALWAYS_SHOWN_BYTES}::int END AS shown_bytes
      FROM (
        SELECT s.*, k.lines, k.bytes AS console_bytes,
          sum(coalesce(${counted(Prisma.sql`input_bytes`)}, 0) + coalesce(${counted(Prisma.sql`output_bytes`)}, 0)
            + coalesce(k.bytes, 0)) OVER (ORDER BY s.position DESC) <= ${pathBytes}::bigint AS fits
        FROM (${steps}) s LEFT JOIN step_consoles k ON k.execution_id = ${CONSOLE_OF} AND k.node_id = s.node_id
          AND k.iteration = s.iteration AND k.attempt = s.attempt
      ) s
    ) s)`;
}

const CONSOLE_OF = Prisma.sql`coalesce(s.reused_from_id, s.execution_id)`;

/** `iterations` selects the column `iteration` of steps or questions of the execution. */
export function totalsJson(iterations: Prisma.Sql, executionId = Prisma.sql`t.id`): Prisma.Sql {
  return Prisma.sql`(
    SELECT coalesce(json_agg(json_build_object('iteration', l.iteration, 'nodeId', l.node_id,
      'total', l.iterations_total)), '[]')
    FROM (
      SELECT DISTINCT array_to_string(parts[:depth - 1], '/') AS parent, split_part(parts[depth], ':', 1) AS loop
      FROM (SELECT DISTINCT string_to_array(i.iteration, '/') AS parts FROM (${iterations}) i) inside,
        generate_series(1, cardinality(parts)) AS depth
    ) around JOIN execution_steps l
      ON l.execution_id = ${executionId} AND l.iteration = around.parent AND l.node_id = around.loop)`;
}

interface ShownAttempt {
  attempt: number;
  startedAt: string | null;
  stoppedAt: string | null;
  error?: Json;
}

export type StepRow = Record<'id' | 'executionId' | 'nodeId' | 'label' | 'status' | 'iteration', string> &
  Record<
    'appId' | 'actionId' | 'handle' | 'startedAt' | 'stoppedAt' | 'wakeAt' | 'attemptStartedAt' | 'reusedFrom',
    string | null
  > &
  Record<'inputBytes' | 'outputBytes' | 'consoleBytes' | 'total' | 'completed' | 'failed' | 'kept', number | null> & {
    attempt: number;
    reused: boolean;
    awaitedApproval: Record<'agentId' | 'taskId' | 'runId', string> | null;
    awaitedQueue: string | null;
    input: Json;
    output: Json;
    error: Json;
    attempts: ShownAttempt[] | null;
    console: ConsoleLine[] | null;
  };

/** The number of iterations of each loop, by loopKey; null if unknown. */
export type LoopTotals = ReadonlyMap<string, number | null>;

export type TotalRow = Pick<StepRow, 'iteration' | 'nodeId' | 'total'>;

export function loopTotals(rows: readonly TotalRow[]): LoopTotals {
  return new Map(rows.map(({ iteration, nodeId, total }) => [loopKey(iteration, nodeId), total]));
}

/** Icons are missing: the API adds them from the catalogue. */
export function shownStep(row: StepRow, secrets: readonly string[], totals: LoopTotals): Json {
  const { executionId, inputBytes, outputBytes, error, iteration, reused, reusedFrom, ...values } = row;
  const { total, completed, failed, kept, ...rest } = values;
  const {
    console: lines,
    consoleBytes,
    attempts: _,
    attemptStartedAt: __,
    wakeAt,
    awaitedApproval,
    awaitedQueue,
    handle,
    ...shown
  } = rest;
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
    attempts: maskSecrets(attemptsOf(row), secrets),
    ...(wakeAt === null ? {} : { wakeAt }),
    ...(awaitedApproval === null ? {} : { statusMessage: WAITS_FOR_APPROVAL, awaitedApproval }),
    ...(awaitedQueue === null ? {} : { statusMessage: noWorkerPolls(awaitedQueue) }),
    ...(handle === null ? {} : { handle }),
    ...(reused ? { reused } : {}),
    ...(reusedFrom === null ? {} : { reusedFrom: { executionId: reusedFrom } }),
    ...(lines ? { console: lines.map(({ level, text }) => ({ level, text: maskSecrets(text, secrets) })) } : {}),
    ...(consoleBytes === null ? {} : { consoleLink: place, consoleBytes }),
    iteration: iterationOf(iteration, totals),
    ...(completed === null
      ? {}
      : {
          iterations: {
            ...(total === null ? {} : { total }),
            ...{ completed, failed: failed ?? 0 },
            ...(kept === null ? {} : { reused: kept }),
          },
        }),
  };
}

/** Limits the listed attempts to the last ones, including the current one. */
const MAX_ATTEMPTS = 20;

function attemptsOf({ attempt, startedAt, stoppedAt, attempts, attemptStartedAt, error }: StepRow): Json {
  const ended = attempts ?? [];
  // While the step waits for another attempt, or if it was cancelled then, all attempts have ended.
  if (startedAt === null || ended.at(-1)?.attempt === attempt) return ended as unknown as Json;
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  const last: ShownAttempt = {
    attempt,
    startedAt: attemptStartedAt ?? startedAt,
    stoppedAt,
    ...(code === undefined ? {} : { error: { code, message: message ?? '' } }),
  };
  return [...ended, last].slice(-MAX_ATTEMPTS) as unknown as Json;
}

/** `outer:3/inner:0` becomes `[{nodeId: 'outer', index: 3}, {nodeId: 'inner', index: 0}]`, with `total` if known. */
export function iterationOf(text: string, totals: LoopTotals): Json {
  return iterationParts(text).map(({ parent, loopId, index }) => {
    const total = totals.get(loopKey(parent, loopId)) ?? null;
    return { nodeId: loopId, index, ...(total === null ? {} : { total }) };
  });
}
