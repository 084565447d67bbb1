import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { etagOf } from '../../app/api/ifMatch.ts';
import { client } from '../../app/session/session.ts';

export type QueueSettingsRead = Answer<'getQueue'>;

/** A queue's settings, and the ETag of what was read, for the If-Match of a change. */
export interface QueueRead {
  queue: QueueSettingsRead;
  etag: string | undefined;
}

const SETTINGS =
  'name,slug,description,isActive,priority,maxRetries,retryDelayMinutes,batchSize,maxConcurrent,deletedAt';

/** Read when the form opens: what is changed is what the person sees. */
export function queueSettings(queueId: string) {
  return queryOptions({
    queryKey: ['getQueue', queueId, 'settings'],
    queryFn: async ({ signal }): Promise<QueueRead> => {
      const answer = await client.send('getQueue', { path: { queueId }, query: { expansion: SETTINGS }, signal });
      return { queue: (await answer.json()) as QueueSettingsRead, etag: etagOf(answer) };
    },
    staleTime: 0,
    gcTime: 0,
  });
}
