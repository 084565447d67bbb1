import pMap from 'p-map';
import type { Item } from '../../../prisma/store/items.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

/** Schedules that are asked about at once. */
const AT_ONCE = 20;

/**
 * Workflows as they were read, with nextScheduledExecution as the engine has it. Until then it holds the id of a
 * workflow that a schedule starts, or null. Throws EngineAway: a null would say that nothing is planned.
 */
export async function withNextScheduled(
  items: Item[],
  { services: { schedules } }: Pick<ResourceRequest, 'services'>,
): Promise<Item[]> {
  const answered = [...items];
  const asked = items.flatMap(({ nextScheduledExecution: id }, index) =>
    typeof id === 'string' ? [{ id, index }] : [],
  );
  const ask = async ({ id, index }: { id: string; index: number }): Promise<void> => {
    const time = await schedules.nextTime(id);
    answered[index] = { ...answered[index], nextScheduledExecution: time?.toISOString() ?? null };
  };
  await pMap(asked, ask, { concurrency: AT_ONCE });
  return answered;
}
