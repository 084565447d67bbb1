import {
  Button,
  Code,
  Group,
  List,
  Modal,
  NativeSelect,
  NumberInput,
  Stack,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { JsonObject } from '../../../domain/json.ts';
import { type NewItem, pastedItems } from '../../data/pastedItems.ts';
import { client } from '../../session.ts';
import { QUEUES } from '../../words/en/queues.ts';
import { RowsFileButton } from '../form/RowsFileButton.tsx';
import { done } from '../notices.tsx';
import { ProblemAlert } from '../problem/ProblemAlert.tsx';
import { NewItemData } from './NewItemData.tsx';

const words = QUEUES.add;

interface AddItemsProps {
  queueId: string;
  onClose: () => void;
}

/** Adds one item by a form, or many from a text that somebody pastes. */
export function AddItems({ queueId, onClose }: AddItemsProps) {
  return (
    <Modal opened onClose={onClose} title={words.title} size="lg">
      <Tabs defaultValue="one" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="one">{words.tabs.one}</Tabs.Tab>
          <Tabs.Tab value="many">{words.tabs.many}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="one">
          <OneItem queueId={queueId} onClose={onClose} />
        </Tabs.Panel>
        <Tabs.Panel value="many">
          <ManyItems queueId={queueId} onClose={onClose} />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  );
}

/** Reads again what shows items. */
function useReadAgain(): () => void {
  const queries = useQueryClient();
  return () => {
    for (const list of ['listQueueItems', 'getQueue', 'listQueues']) {
      void queries.invalidateQueries({ queryKey: [list] });
    }
  };
}

function OneItem({ queueId, onClose }: AddItemsProps) {
  const readAgain = useReadAgain();
  const [externalId, setExternalId] = useState('');
  const [priority, setPriority] = useState<number | string>(0);
  const [data, setData] = useState<JsonObject | undefined>({});
  const form = useRef<HTMLDivElement>(null);
  const add = useMutation({
    mutationFn: (given: JsonObject) =>
      client.createQueueItem({
        path: { queueId },
        body: {
          data: given,
          priority: Number(priority),
          ...(externalId.trim() === '' ? {} : { externalId: externalId.trim() }),
        },
      }),
    onSuccess: ({ isDuplicate }) => {
      readAgain();
      done(isDuplicate ? words.duplicateOne : words.added(1, 0, 0));
      onClose();
    },
  });
  const submit = () => {
    const wrong = form.current?.querySelector<HTMLElement>('textarea:invalid');
    if (wrong != null) wrong.focus();
    else if (data !== undefined) add.mutate(data);
  };
  return (
    <Stack ref={form}>
      <TextInput
        label={words.externalId}
        description={words.externalIdHelp}
        maxLength={500}
        value={externalId}
        onChange={(event) => setExternalId(event.currentTarget.value)}
      />
      <NumberInput label={words.priority} allowDecimal={false} value={priority} onChange={setPriority} />
      <NewItemData value={data} onChange={setData} />
      {add.error !== null && <ProblemAlert error={add.error} />}
      <Buttons isBusy={add.isPending} isReady={data !== undefined} onAdd={submit} onClose={onClose} />
    </Stack>
  );
}

const SHOWN = 5;

function ManyItems({ queueId, onClose }: AddItemsProps) {
  const readAgain = useReadAgain();
  const [text, setText] = useState('');
  const [duplicates, setDuplicates] = useState<'skip' | 'update'>('skip');
  const { data: found } = useQuery({
    queryKey: ['pastedItems', text],
    queryFn: () => pastedItems(text),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const items = found !== undefined && 'items' in found ? found.items : [];
  const add = useMutation({
    mutationFn: (given: NewItem[]) =>
      client.bulkCreateQueueItems({ path: { queueId }, body: { items: given, options: { duplicates } } }),
    onSuccess: ({ summary: { created, updated, skipped } }) => {
      readAgain();
      done(words.added(created, updated, skipped));
      onClose();
    },
  });
  return (
    <Stack>
      <Group>
        <RowsFileButton onText={setText} />
      </Group>
      <Textarea
        label={words.paste}
        description={words.pasteHelp}
        autosize
        minRows={6}
        maxRows={14}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <NativeSelect
        label={words.duplicates}
        value={duplicates}
        onChange={({ currentTarget: { value } }) => setDuplicates(value === 'update' ? 'update' : 'skip')}
        data={Object.entries(words.duplicate).map(([value, label]) => ({ value, label }))}
      />
      {found !== undefined && 'problem' in found && <Text role="alert">{found.problem}</Text>}
      {items.length > 0 && (
        <div>
          <Text role="status">{words.preview(items.length)}</Text>
          <List size="sm">
            {items.slice(0, SHOWN).map((item, at) => (
              <List.Item key={at}>
                {item.externalId !== undefined && <strong>{item.externalId} </strong>}
                <Code>{JSON.stringify(item.data).slice(0, 200)}</Code>
              </List.Item>
            ))}
          </List>
          {items.length > SHOWN && <Text size="sm">{words.more(items.length - SHOWN)}</Text>}
        </div>
      )}
      {add.error !== null && <ProblemAlert error={add.error} />}
      <Buttons isBusy={add.isPending} isReady={items.length > 0} onAdd={() => add.mutate(items)} onClose={onClose} />
    </Stack>
  );
}

interface ButtonsProps {
  isBusy: boolean;
  isReady: boolean;
  onAdd: () => void;
  onClose: () => void;
}

function Buttons({ isBusy, isReady, onAdd, onClose }: ButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {QUEUES.page.leave}
      </Button>
      <Button loading={isBusy} disabled={!isReady} onClick={onAdd}>
        {words.add}
      </Button>
    </Group>
  );
}
