import type { Json } from '../../../domain/json.ts';
import type { Services } from '../../services.ts';

/** Schedules that are asked about at once. */
const AT_ONCE = 20;

/**
 * Workflows as they were read, with nextScheduledExecution as the engine tells it. Until then it holds the id of a
 * workflow that a schedule starts, or null.
 */
export async function withNextScheduled(
  { schedules }: Services,
  items: Record<string, Json>[],
): Promise<Record<string, Json>[]> {
  const answered = [...items];
  const asked = items.flatMap(({ nextScheduledExecution: id }, index) =>
    typeof id === 'string' ? [{ id, index }] : [],
  );
  const ask = async (): Promise<void> => {
    for (let next = asked.shift(); next; next = asked.shift()) {
      const time = await schedules.nextTime(next.id);
      answered[next.index] = { ...answered[next.index], nextScheduledExecution: time?.toISOString() ?? null };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return answered;
}
