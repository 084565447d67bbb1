import { Text } from '@mantine/core';
import { Chip } from '../../ui/Chip.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import type { App } from './queries.ts';
import { APPS } from './words.ts';

const words = APPS.actions;
type Action = App['actions'][number];

const TONES = { read: 'good', write: 'wait', destructive: 'bad' } as const;
const FIELDS_SHOWN = 8;

const COLUMNS: Column<Action & { id: string }>[] = [
  {
    key: 'name',
    card: 'title',
    header: words.columns.name,
    className: 'wordy',
    cell: ({ actionId, name, description }) => (
      <>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <code>{actionId}</code>
        {description !== '' && <Text size="xs">{description}</Text>}
      </>
    ),
  },
  {
    key: 'effect',
    header: words.columns.effect,
    cell: ({ effect }) => <Chip tone={TONES[effect]}>{words.effects[effect]}</Chip>,
  },
  {
    key: 'repeatable',
    header: words.columns.repeatable,
    cell: ({ repeatable }) => words.repeatable[`${repeatable}`],
  },
  {
    key: 'fields',
    card: 'line',
    header: words.columns.fields,
    className: 'wordy',
    cell: ({ inputConfig: { fields } }) => <Fields fields={fields} />,
  },
];

export function ActionTable({ actions }: { actions: readonly Action[] }) {
  return (
    <DataTable
      label={words.title}
      columns={COLUMNS}
      nameOf={({ name }) => name}
      rows={actions.map((action) => ({ ...action, id: action.actionId }))}
    />
  );
}

function Fields({ fields }: { fields: Action['inputConfig']['fields'] }) {
  if (fields.length === 0) return words.noFields;
  const shown = fields.slice(0, FIELDS_SHOWN);
  const names = shown.map(({ label, key, required }) =>
    required ? `${label || key} (${words.required})` : label || key,
  );
  const more = fields.length - shown.length;
  return (
    <Text size="sm">
      {names.join(', ')} {more > 0 && words.more(more)}
    </Text>
  );
}
