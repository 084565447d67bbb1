import { useQuery } from '@tanstack/react-query';
import { ME, useMay } from '../../app/api/me.ts';
import { personId } from '../../app/storage/personId.ts';
import { allPeople } from '../people/queries.ts';
import { workerOf } from './queries.ts';
import { QUEUES } from './words.ts';

const words = QUEUES.item;
const OF_PEOPLE = workerOf('');

/** Returns the name of an item's worker. For `console/<id>`, users who may read people get the colleague's name. */
export function useWorkerName(worker: string | null | undefined): { name: string | undefined; isMe: boolean } {
  const { data: me } = useQuery(ME);
  const isPerson = worker?.startsWith(OF_PEOPLE) === true;
  const isMe = me !== undefined && worker === workerOf(personId(me));
  const readsPeople = useMay()('workspace:admin');
  const { data: people } = useQuery({ ...allPeople(), enabled: isPerson && !isMe && readsPeople });
  if (isMe) return { name: words.you, isMe };
  if (!isPerson) return { name: worker ?? undefined, isMe };
  return { name: people?.find(({ id }) => worker === workerOf(id))?.name ?? words.colleague, isMe };
}
