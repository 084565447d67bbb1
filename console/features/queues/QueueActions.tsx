import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { useState } from 'react';
import { done, failed } from '../../ui/notices.tsx';
import { actOnQueue, type QueueAct } from './mutations.ts';
import { QueueSettings } from './QueueSettings.tsx';
import { refreshQueues } from './queries.ts';
import { QUEUES } from './words.ts';

const words = QUEUES.page;

const MESSAGES: Record<QueueAct, string> = {
  pause: words.pausedDone,
  activate: words.activated,
  delete: words.deletedDone,
  restore: words.restoredDone,
};

export function QueueActions({ queue, mayWrite }: { queue: Answer<'getQueue'>; mayWrite: boolean }) {
  const { id, name, isActive, deletedAt } = queue;
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [isSetting, setSetting] = useState(false);
  const act = useMutation({
    mutationFn: (what: QueueAct) => actOnQueue(id, what),
    onSuccess: async (_, what) => {
      done(MESSAGES[what]);
      // The dialog closes when the queue has been read, together with the button that opened it.
      await refreshQueues(queries);
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
