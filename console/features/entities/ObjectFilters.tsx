import { ActionIcon, Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns3, IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { Filters } from '../../app/lists/Filters.tsx';
import { SavedViews } from '../../app/lists/SavedViews.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { SearchField } from '../../ui/table/SearchField.tsx';
import {
  type ColumnKey,
  columnLabel,
  columnsOf,
  columnsText,
  moved,
  shownColumns,
  usualColumns,
} from './objectColumns.ts';
import { attributeFilters, type ObjectType } from './queries.ts';
import { labelOf, propertiesOf } from './schemaFields.ts';
import { OBJECTS } from './words.ts';

type Search = SearchOf<'/frame/objects/$typeSlug'>;

const words = OBJECTS;

interface ObjectFiltersProps {
  type: ObjectType;
  search: Search;
  /** The board has no state filter, because its columns are the states. */
  isBoard: boolean;
  onChange: (change: Search) => void;
}

export function ObjectFilters({ type, search, isBoard, onChange }: ObjectFiltersProps) {
  const attributes = propertiesOf(type.attributeSchema);
  const [attribute, setAttribute] = useState(attributes[0]?.[0] ?? '');
  const [value, setValue] = useState('');
  const { tab: _, page: __, ...filters } = search;
  const inForce = attributeFilters(search);
  const states = type.stateSchema?.states ?? [];
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (value.trim() === '') return;
    onChange({ [`attributes.${attribute}`]: value.trim() });
    setValue('');
  };
  const labelled = (parameter: string) => {
    const name = parameter.slice('attributes.'.length);
    return labelOf(name, attributes.find(([each]) => each === name)?.[1]);
  };
  return (
    <Filters
      label={words.filters}
      filters={{ state: isBoard ? undefined : search.state, deleted: search.deleted, ...Object.fromEntries(inForce) }}
      find={
        <SearchField
          label={words.find}
          placeholder={words.findExample}
          value={search.q ?? ''}
          onFind={(q) => onChange({ q })}
        />
      }
    >
      {!isBoard && states.length > 0 && (
        <FilterSelect
          label={words.state}
          value={search.state}
          any={words.anyState}
          choices={states.map(({ id, name }) => ({ value: id, label: name ?? id }))}
          onChoose={(state) => onChange({ state })}
        />
      )}
      {attributes.length > 0 && (
        <form onSubmit={add}>
          <Group align="end" gap={6}>
            <NativeSelect
              label={words.attribute}
              value={attribute}
              onChange={(event) => setAttribute(event.currentTarget.value)}
              data={attributes.map(([name, schema]) => ({ value: name, label: labelOf(name, schema) }))}
            />
            <TextInput
              label={words.equals}
              w={140}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
            <Button type="submit" variant="default">
              {words.addFilter}
            </Button>
          </Group>
        </form>
      )}
      {!isBoard && (
        <>
          <FilterSelect
            label={words.sort}
            value={search.sort}
            choices={[
              ...Object.entries(words.sorts).map(([each, label]) => ({ value: each, label })),
              ...attributes.map(([name, schema]) => ({ value: `attributes.${name}`, label: labelOf(name, schema) })),
            ]}
            onChoose={(sort) => onChange({ sort })}
          />
          {search.sort !== undefined && (
            <Checkbox
              label={words.descending}
              mb={8}
              checked={search.order === 'desc'}
              onChange={(event) => onChange({ order: event.currentTarget.checked ? 'desc' : undefined })}
            />
          )}
          <Checkbox
            label={words.deleted}
            mb={8}
            checked={search.deleted === 'true'}
            onChange={(event) => onChange({ deleted: event.currentTarget.checked ? 'true' : undefined })}
          />
        </>
      )}
      {!isBoard && <ColumnsButton type={type} columns={search.columns} onChange={(columns) => onChange({ columns })} />}
      <SavedViews list={`objects/${type.id}`} filters={filters} onChange={onChange} />
      {inForce.length > 0 && (
        <Group gap={6} flex="0 0 100%">
          {inForce.map(([parameter, given]) => {
            const text = `${labelled(parameter)}: ${given}`;
            return (
              <Button
                key={parameter}
                size="compact-sm"
                variant="light"
                rightSection={<IconX size={14} aria-hidden />}
                aria-label={words.removeFilter(text)}
                onClick={() => onChange({ [parameter]: undefined })}
              >
                {text}
              </Button>
            );
          })}
        </Group>
      )}
    </Filters>
  );
}

interface ColumnsProps {
  type: ObjectType;
  columns: string | undefined;
  onChange: (columns: string | undefined) => void;
}

function ColumnsButton(props: ColumnsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {OBJECTS.columnChoice.button}
      </Button>
      {isOpen && <ColumnsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

const rowsOf = (type: ObjectType, shown: readonly ColumnKey[]) => [
  ...shown.map((key) => ({ key, isShown: true })),
  ...columnsOf(type).flatMap((key) => (shown.includes(key) ? [] : [{ key, isShown: false }])),
];

function ColumnsDialog({ type, columns, onChange, onClose }: ColumnsProps & { onClose: () => void }) {
  const [rows, setRows] = useState(() => rowsOf(type, shownColumns(type, columns)));
  const [said, setSaid] = useState('');
  const toggle = (key: ColumnKey) =>
    setRows(rows.map((row) => (row.key === key ? { key, isShown: !row.isShown } : row)));
  const move = (at: number, by: number) => {
    const next = moved(rows, at, by);
    const key = rows[at]?.key ?? '';
    setRows(next);
    setSaid(
      OBJECTS.columnChoice.place(columnLabel(type, key), next.findIndex((row) => row.key === key) + 1, next.length),
    );
  };
  const use = async () =>
    onChange(
      columnsText(
        type,
        rows.filter(({ isShown }) => isShown).map(({ key }) => key),
      ),
    );
  return (
    <ActDialog
      title={OBJECTS.columnChoice.title}
      means={OBJECTS.columnChoice.means}
      button={OBJECTS.columnChoice.use}
      onAct={use}
      onClose={onClose}
    >
      <Stack gap={4} component="ol" m={0} p={0} style={{ listStyle: 'none' }} aria-label={OBJECTS.columnChoice.title}>
        {rows.map(({ key, isShown }, at) => {
          const label = columnLabel(type, key);
          return (
            <Group key={key} component="li" gap="xs" wrap="nowrap" justify="space-between">
              <Checkbox label={label} checked={isShown} onChange={() => toggle(key)} />
              <Group gap={4} wrap="nowrap">
                <Move
                  label={OBJECTS.columnChoice.up(label)}
                  isEnd={at === 0}
                  icon={IconArrowUp}
                  onMove={() => move(at, -1)}
                />
                <Move
                  label={OBJECTS.columnChoice.down(label)}
                  isEnd={at === rows.length - 1}
                  icon={IconArrowDown}
                  onMove={() => move(at, 1)}
                />
              </Group>
            </Group>
          );
        })}
      </Stack>
      <span className="aloud" role="status">
        {said}
      </span>
      <Button variant="subtle" onClick={() => setRows(rowsOf(type, usualColumns(type)))}>
        {OBJECTS.columnChoice.usual}
      </Button>
    </ActDialog>
  );
}

interface MoveProps {
  label: string;
  /** The row cannot move further. The button stays, so that it keeps the focus. */
  isEnd: boolean;
  icon: typeof IconArrowUp;
  onMove: () => void;
}

function Move({ label, isEnd, icon: Icon, onMove }: MoveProps) {
  return (
    <ActionIcon
      variant="subtle"
      size="lg"
      color="gray"
      c="var(--ink-neutral)"
      aria-label={label}
      aria-disabled={isEnd}
      style={isEnd ? { opacity: 0.4 } : undefined}
      onClick={isEnd ? undefined : onMove}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
