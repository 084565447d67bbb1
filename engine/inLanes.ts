import pMap from 'p-map';

/**
 * Does `work` with each item, `lanes` at once. After a failure no further item begins; it rejects with the first failure
 * once those that run have ended, which p-map does not wait for.
 */
export async function inLanes<Item>(
  lanes: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const step = async (item: Item) => {
    if (failures.length === 0) await work(item).catch((error: unknown) => failures.push(error));
  };
  await pMap(items, step, { concurrency: lanes });
  if (failures.length > 0) throw failures[0];
}
