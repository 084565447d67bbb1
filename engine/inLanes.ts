import pMap from 'p-map';

/** Runs `work` for each item, `lanes` at once. Rejects with the first failure after running items end, unlike p-map. */
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
