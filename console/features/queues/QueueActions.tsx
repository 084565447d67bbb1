import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { useState } from 'react';
import { client } from '../../app/session/session.ts';
import { done, failed } from '../../ui/notices/notices.tsx';
import { QueueSettings } from './QueueSettings.tsx';
import { QUEUES } from './words.ts';

const words = QUEUES.page;

type Act = 'pause' | 'activate' | 'delete' | 'restore';

const SAID: Record<Act, string> = {
  pause: words.pausedDone,
  activate: words.activated,
  delete: words.deletedDone,
  restore: words.restoredDone,
};

/** What can be done with a queue as a whole, now. */
export function QueueActions({ queue, mayWrite }: { queue: Answer<'getQueue'>; mayWrite: boolean }) {
  const { id, name, isActive, deletedAt } = queue;
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [isSetting, setSetting] = useState(false);
  const act = useMutation({
    mutationFn: async (what: Act): Promise<unknown> => {
      const given = { path: { queueId: id } };
      if (what === 'pause') return await client.deactivateQueue(given);
      if (what === 'activate') return await client.activateQueue(given);
      return what === 'delete' ? await client.deleteQueue(given) : await client.restoreQueue(given);
    },
    onSuccess: async (_, what) => {
      done(SAID[what]);
      for (const list of ['listQueues', 'listQueueItems']) void queries.invalidateQueries({ queryKey: [list] });
      // Until the queue is read the button stands for what it was; the dialog goes together with what opened it.
      await queries.invalidateQueries({ queryKey: ['getQueue'] });
      setAsking(false);
    },
    onError: failed,
  });
  if (deletedAt != null) {
    return (
      mayWrite && (
        <Button loading={act.isPending} onClick={() => act.mutate('restore')}>
          {words.restore}
        </Button>
      )
    );
  }
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setSetting(true)}>
        {QUEUES.settings.button}
      </Button>
      {mayWrite && (
        <>
          <Button variant="default" loading={act.isPending} onClick={() => act.mutate(isActive ? 'pause' : 'activate')}>
            {isActive ? words.pause : words.activate}
          </Button>
          <Button variant="subtle" color="red" c="var(--ink-bad)" onClick={() => setAsking(true)}>
            {words.deleteQueue}
          </Button>
        </>
      )}
      {isSetting && <QueueSettings queueId={id} mayWrite={mayWrite} onClose={() => setSetting(false)} />}
      {isAsking && (
        <Modal opened onClose={() => setAsking(false)} title={words.deleteTitle(name)}>
          <Stack>
            <Text>{words.deleteMeans}</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setAsking(false)}>
                {words.leave}
              </Button>
              <Button color="red.9" loading={act.isPending} onClick={() => act.mutate('delete')}>
                {words.deleteQueue}
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </Group>
  );
}
