import {
  ActionIcon,
  Button,
  Checkbox,
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
import { IconBraces, IconListDetails } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { CodeEditor } from '../../ui/code/CodeEditor.tsx';
import { parsedObject } from '../../ui/code/jsonText.ts';
import { RowsFileButton } from '../../ui/files/RowsFileButton.tsx';
import { useLooseJson } from '../../ui/form/looseJson.ts';
import { NamedRows } from '../../ui/form/RowsEditor.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { addItem, addItems } from './mutations.ts';
import { type NewItem, withoutRepeats } from './pastedItems.ts';
import { itemsInText, refreshQueues } from './queries.ts';
import { QUEUES } from './words.ts';

const words = QUEUES.add;

interface AddItemsProps {
  queueId: string;
  onClose: () => void;
}

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

function OneItem({ queueId, onClose }: AddItemsProps) {
  const queries = useQueryClient();
  const [externalId, setExternalId] = useState('');
  const [priority, setPriority] = useState<number | string>(0);
  const [data, setData] = useState<JsonObject | undefined>({});
  const form = useRef<HTMLDivElement>(null);
  const add = useMutation({
    mutationFn: (given: JsonObject) =>
      addItem(queueId, {
        data: given,
        priority: Number(priority),
        ...(externalId.trim() === '' ? {} : { externalId: externalId.trim() }),
      }),
    onSuccess: ({ isDuplicate }) => {
      void refreshQueues(queries);
      done(isDuplicate ? words.duplicateOne : words.added(1));
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
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [duplicates, setDuplicates] = useState<'skip' | 'update'>('skip');
  const [texts, setTexts] = useState<string[]>([]);
  const { data: found } = useQuery(itemsInText(text, texts));
  const pasted = found !== undefined && 'items' in found ? found : undefined;
  const numbers = pasted?.numbers ?? [];
  const { items, repeated } = useMemo(() => withoutRepeats(pasted?.items ?? [], duplicates), [pasted, duplicates]);
  const add = useMutation({
    mutationFn: (given: NewItem[]) => addItems(queueId, given, duplicates),
    onSuccess: ({ summary: { created, updated, skipped } }) => {
      void refreshQueues(queries);
      const left = repeated.length;
      done([words.added(created), ...words.others(duplicates, updated, skipped, left)].join(', '));
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
          <div role="status">
            <Text>{words.preview(items.length)}</Text>
            {items.some(({ externalId }) => externalId !== undefined) && (
              <Text size="sm">{words.whereThere[duplicates]}</Text>
            )}
            {repeated.length > 0 && (
              <Text size="sm">
                {words.repeated[duplicates](repeated.length)}{' '}
                {repeated.slice(0, SHOWN).map(words.repeatedRow).join(', ')}
                {repeated.length > SHOWN && ` ${words.more(repeated.length - SHOWN)}`}
              </Text>
            )}
          </div>
          {numbers.length > 0 && (
            <Checkbox.Group
              my="xs"
              label={words.numbers}
              description={words.numbersHelp}
              value={numbers.filter((name) => !texts.includes(name))}
              onChange={(chosen) => setTexts(numbers.filter((name) => !chosen.includes(name)))}
            >
              <Group mt={4}>
                {numbers.map((name) => (
                  <Checkbox key={name} value={name} label={name} />
                ))}
              </Group>
            </Checkbox.Group>
          )}
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

const { named } = WORDS;

interface NewItemDataProps {
  value: JsonObject | undefined;
  onChange: (value: JsonObject | undefined) => void;
}

function NewItemData({ value, onChange }: NewItemDataProps) {
  /** The JSON text; undefined in the view with rows. */
  const [text, setText] = useState<string>();
  const isText = text !== undefined;
  const label = isText ? named.asRows : named.asText;
  const Icon = isText ? IconListDetails : IconBraces;
  const other = () => setText(isText ? undefined : JSON.stringify(value ?? {}, null, 2));
  const aside = value !== undefined && (
    <ActionIcon variant="default" size={30} aria-label={`${label}: ${words.data}`} title={label} onClick={other}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
  if (!isText) {
    return (
      <NamedRows<Json>
        label={words.data}
        help={words.dataHelp}
        addLabel={named.add}
        wish={named.wish}
        field="data"
        aside={aside}
        stored={value ?? {}}
        fresh=""
        onChange={onChange}
      >
        {(name, _, member, write) => <Member label={name} value={member} onChange={write} />}
      </NamedRows>
    );
  }
  const write = (next: string) => {
    setText(next);
    onChange(parsedObject(next) as JsonObject | undefined);
  };
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={500} aria-hidden>
          {words.dataJson}
        </Text>
        {aside}
      </Group>
      <CodeEditor language="json" label={words.dataJson} value={text} onChange={write} />
      {value === undefined && <Text role="alert">{words.notObject}</Text>}
    </Stack>
  );
}

/** A value as text, or as JSON if it can be parsed. The form is invalid while the JSON is incomplete. */
function Member({ label, value, onChange }: { label: string; value: Json; onChange: (value: Json) => void }) {
  const { text, read, write } = useLooseJson(value, '', onChange);
  const isWrong = 'problem' in read;
  return (
    <Textarea
      ref={(input) => input?.setCustomValidity(isWrong ? words.notJson : '')}
      aria-label={label}
      size="xs"
      autosize
      minRows={1}
      maxRows={8}
      error={isWrong ? words.notJson : undefined}
      value={text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
  );
}
