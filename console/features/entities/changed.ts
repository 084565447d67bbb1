import { QUERIES } from '../../app/api/queries.ts';
import { OBJECT_READS } from './objectReads.ts';

/** After a change of an entity: what is shown of it, and of the lists that hold it, is read again. */
export async function readObjectsAgain(): Promise<void> {
  await Promise.all(OBJECT_READS.map((operation) => QUERIES.invalidateQueries({ queryKey: [operation] })));
}
