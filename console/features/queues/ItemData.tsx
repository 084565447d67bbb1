import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeEditor } from '../../ui/code/CodeEditor.tsx';
import { parsedObject } from '../../ui/code/jsonText.ts';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Value } from '../values/Value.tsx';
import { changeItemData } from './mutations.ts';
import { type QueueItem, readItemField, refreshQueues } from './queries.ts';
import { QUEUES } from './words.ts';

const words = QUEUES;

interface ItemDataProps {
  queueId: string;
  item: QueueItem;
  mayWrite: boolean;
}

export function ItemData({ queueId, item: { id, data, dataLink, dataBytes }, mayWrite }: ItemDataProps) {
  const queries = useQueryClient();
  const stored = JSON.stringify(data, null, 2);
  const [text, setText] = useState(stored);
  const parsed = parsedObject(text);
  const save = useMutation({
    mutationFn: (value: Record<string, unknown>) => changeItemData(queueId, id, value),
    onSuccess: () => {
      done(words.item.saved);
      void refreshQueues(queries);
    },
  });
  if (dataLink !== undefined) {
    return <Value value={null} bytes={dataBytes} load={() => readItemField(queueId, id, 'data')} />;
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
