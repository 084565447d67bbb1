import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { RecordedStep, RunContext } from '../../prisma/store/execution/runContext.ts';

/** The context as a read would give it after these steps were written. */
export function afterWrite(context: RunContext, records: readonly StepRecord[]): RunContext {
  const steps = { ...context.steps };
  for (const record of records) steps[record.nodeId] = recorded(record, context.steps[record.nodeId]?.id);
  return { ...context, status: 'RUNNING', steps };
}

function recorded(record: StepRecord, id = record.id): RecordedStep {
  const { status, attempt, handle = null, output = null, error = null, wakeAt } = record;
  return { id, status, attempt, handle, output, error, wakeAt: wakeAt === undefined ? null : Date.parse(wakeAt) };
}
