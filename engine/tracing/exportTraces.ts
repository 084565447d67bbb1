import type { EndedExecution, ExecutionPlace, TracedStep } from '../../domain/trace/executionSpans.ts';
import { executionRecord, stepRecords } from '../../domain/trace/executionSpans.ts';
import type { SpanRecord } from '../../domain/trace/spanRecord.ts';
import { SAMPLED, type Trace, traceOfText } from '../../domain/trace/trace.ts';
import { turnRecords } from '../../domain/trace/turnSpans.ts';
import type { Database } from '../../prisma/client.ts';
import {
  moveTraceCursor,
  readTraceCursors,
  type TraceCursor,
  type TraceKind,
} from '../../prisma/store/trace/cursors.ts';
import { readEndedExecutions, readTracedSteps } from '../../prisma/store/trace/endedExecutions.ts';
import { readEndedTurns } from '../../prisma/store/trace/endedTurns.ts';
import { BATCH, type Duty, inRounds } from '../duties/duty.ts';
import type { SpanSender } from './spanSender.ts';
import type { Tracing } from './tracing.ts';

const EXPORT_TRACES = 'export traces';

/** How far back the first export starts. */
const FIRST_MS = 60_000;
/** Ends before this, while there was no collector, are left out. */
const OLDEST_MS = 86_400_000;
/** Steps of an execution that are read together with others; larger executions are read alone. */
const FEW_STEPS = 200;
/** Per execution; its span marks when there are more. */
export const MAX_STEPS = 10_000;

export interface ExportTracesParts {
  database: Database;
  tracing: Tracing;
  sender: SpanSender;
  longestStatementMs: number;
}

type Ended = Omit<EndedExecution, 'endedAt'> & TraceCursor;
type Read = (after: TraceCursor, until: Date) => Promise<{ ended: TraceCursor[]; records: SpanRecord[] }>;

/**
 * Sends ended executions and turns in the order of their ends. Stores the position after each accepted batch: a process
 * that dies in between sends it again with the same ids.
 */
export function exportTraces(parts: ExportTracesParts, intervalMs: number): Duty {
  const { database, longestStatementMs } = parts;
  const kinds: [TraceKind, Read][] = [
    ['executions', (after, until) => executionsBehind(parts, after, until)],
    ['turns', (after, until) => turnsBehind(parts, after, until)],
  ];
  return {
    name: EXPORT_TRACES,
    intervalMs,
    async run(stopped) {
      const reading = { firstMs: FIRST_MS, oldestMs: OLDEST_MS, longestMs: longestStatementMs * 2 };
      const { cursors, settledUntil } = await readTraceCursors(database, reading);
      for (const [kind, read] of kinds) {
        let after = cursors[kind];
        await inRounds(stopped, async () => {
          const { ended, records } = await read(after, settledUntil);
          const last = ended.at(-1);
          if (!last || !(await parts.sender.send(records, stopped))) return false;
          after = { endedAt: last.endedAt, id: last.id };
          await moveTraceCursor(database, kind, after);
          return ended.length === BATCH;
        });
      }
    },
  };
}

const isSampled = ({ flags }: Trace) => (flags & SAMPLED) === SAMPLED;

async function executionsBehind(parts: ExportTracesParts, after: TraceCursor, until: Date): ReturnType<Read> {
  const ended = await readEndedExecutions(parts.database, after, until, BATCH);
  const placed = ended
    .map((row) => ({ row, place: placeOf(parts.tracing, row) }))
    .filter(({ place }) => isSampled(place.trace));
  const steps = await stepsOf(
    parts.database,
    placed.map(({ row }) => row.id),
  );
  const records = placed.flatMap(({ row, place }) => {
    const execution = { ...row, endedAt: row.endedAt.getTime() };
    const own = steps.get(row.id) ?? [];
    const shown = own.slice(0, MAX_STEPS);
    return [
      executionRecord(execution, place, own.length > MAX_STEPS),
      ...shown.flatMap((step) => stepRecords(execution, place, step)),
    ];
  });
  return { ended, records };
}

function placeOf(tracing: Tracing, { id, trace, retryOf }: Ended): ExecutionPlace {
  return {
    trace: tracing.ofExecution(id, trace),
    parentSpanId: trace === null ? undefined : traceOfText(trace).spanId,
    retryOf: retryOf ? tracing.ofExecution(retryOf.id, retryOf.trace) : undefined,
  };
}

/** Reads one more than are sent, if there are more. */
async function stepsOf(database: Database, executionIds: readonly string[]): Promise<Map<string, TracedStep[]>> {
  if (executionIds.length === 0) return new Map();
  const found = await readTracedSteps(database, executionIds, FEW_STEPS);
  const steps = new Map(found.map((each) => [each.executionId, each.steps]));
  for (const [executionId, few] of steps) {
    if (few.length < FEW_STEPS) continue;
    const [all] = await readTracedSteps(database, [executionId], MAX_STEPS + 1);
    if (all) steps.set(executionId, all.steps);
  }
  return steps;
}

async function turnsBehind(
  { database, tracing }: ExportTracesParts,
  after: TraceCursor,
  until: Date,
): ReturnType<Read> {
  const ended = await readEndedTurns(database, after, until, BATCH);
  const records = ended.flatMap((turn) => {
    const parent = turn.trace === null ? undefined : traceOfText(turn.trace).spanId;
    return turnRecords({ ...turn, endedAt: turn.endedAt.getTime() }, tracing.ofTurn(turn.id, turn.trace), parent);
  });
  return { ended, records };
}
