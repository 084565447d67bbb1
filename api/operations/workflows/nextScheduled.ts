import pMap from 'p-map';
import type { Item } from '../../../prisma/store/items.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

const AT_ONCE = 20;

/** Replaces the id of a scheduled workflow by its time. Throws EngineAway: null would mean that nothing is planned. */
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
