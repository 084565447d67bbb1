import { BATCH, type Duty, type DutyParts } from './duty.ts';

/** What a workflow's change could not tell the engine. */
export function syncSchedules({ schedules }: Pick<DutyParts, 'schedules'>, intervalMs: number): Duty {
  return { name: 'tell schedules', intervalMs, run: () => schedules.reconcile(BATCH).then(() => undefined) };
}
