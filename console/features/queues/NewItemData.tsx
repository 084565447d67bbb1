import { ActionIcon, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconBraces, IconListDetails } from '@tabler/icons-react';
import { useState } from 'react';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { CodeEditor } from '../../ui/code/CodeEditor.tsx';
import { parsedObject } from '../../ui/code/jsonText.ts';
import { useLooseJson } from '../editor/fields/looseJson.ts';
import { NamedRows } from '../editor/fields/RowsEditor.tsx';
import { EDITOR } from '../editor/words.ts';
import { QUEUES } from './words.ts';

const words = QUEUES.add;
const { named } = EDITOR;

interface NewItemDataProps {
  value: JsonObject | undefined;
  onChange: (value: JsonObject | undefined) => void;
}

export function NewItemData({ value, onChange }: NewItemDataProps) {
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
