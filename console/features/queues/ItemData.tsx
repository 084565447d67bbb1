import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../app/session/session.ts';
import { CodeEditor } from '../../ui/code/CodeEditor.tsx';
import { parsedObject } from '../../ui/form/parsedObject.ts';
import { done } from '../../ui/notices/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Value } from '../values/Value.tsx';
import type { QueueItem } from './queues.ts';
import { QUEUES } from './words.ts';

const words = QUEUES;

interface ItemDataProps {
  queueId: string;
  item: QueueItem;
  mayWrite: boolean;
}

/** The data of an item as JSON, to be corrected before somebody works on it. */
export function ItemData({ queueId, item: { id, data, dataLink, dataBytes }, mayWrite }: ItemDataProps) {
  const queries = useQueryClient();
  const stored = JSON.stringify(data, null, 2);
  const [text, setText] = useState(stored);
  const parsed = parsedObject(text);
  const save = useMutation({
    mutationFn: (value: Record<string, unknown>) =>
      client.updateQueueItem({ path: { queueId, itemId: id }, body: { data: value } }),
    onSuccess: () => {
      done(words.item.saved);
      for (const list of ['getQueueItem', 'listQueueItems']) void queries.invalidateQueries({ queryKey: [list] });
    },
  });
  if (dataLink !== undefined) {
    const load = async () =>
      (await client.getQueueItem({ path: { queueId, itemId: id }, query: { expansion: 'data' } })).data;
    return <Value value={null} bytes={dataBytes} load={load} />;
  }
  return (
    <Stack gap="xs">
      <CodeEditor
        language="json"
        label={words.item.tabs.json}
        value={text}
        {...(mayWrite ? { onChange: setText } : {})}
        minHeight="14rem"
      />
      {parsed === undefined && <Text role="alert">{words.add.notObject}</Text>}
      {save.error !== null && <ProblemAlert error={save.error} />}
      {mayWrite && (
        <Group>
          <Button
            loading={save.isPending}
            disabled={parsed === undefined || text === stored}
            onClick={() => parsed !== undefined && save.mutate(parsed)}
          >
            {words.item.save}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
