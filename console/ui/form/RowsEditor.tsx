import './rows.css';
import { ActionIcon, Button, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isEqualJson } from '../../../domain/isEqualJson.ts';
import type { Json } from '../../../domain/json.ts';
import { pathTo } from '../../../domain/place.ts';
import { WORDS } from '../words/words.ts';
import { useIsReadOnly } from './readOnly.ts';

const { rows: words, named: nameWords } = WORDS;

interface RowsEditorProps<Row> {
  label: string;
  addLabel: string;
  rows: readonly Row[];
  fresh: () => Row;
  nameOf: (row: Row, index: number) => string;
  onChange: (rows: Row[]) => void;
  error?: string | undefined;
  help?: string | undefined;
  required?: boolean | undefined;
  field: string;
  aside?: ReactNode;
  head?: (row: Row, index: number, change: (row: Row) => void) => ReactNode;
  children: (row: Row, index: number, change: (row: Row) => void) => ReactNode;
}

export function RowsEditor<Row>(props: RowsEditorProps<Row>) {
  const { label, addLabel, rows, fresh, nameOf, onChange, error, help, required, field, aside, head, children } = props;
  const isReadOnly = useIsReadOnly();
  const list = useRef<HTMLDivElement>(null);
  const isAdded = useRef(false);
  useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    // Focus the row that was just added.
    const first = list.current?.querySelector<HTMLElement>(
      `:scope > section:nth-of-type(${rows.length}) :is(input, select, .cm-content)`,
    );
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
  }, [rows.length]);
  const replace = (index: number, row: Row) => onChange(rows.map((one, at) => (at === index ? row : one)));
  const raise = (index: number) => {
    const moved = [...rows];
    moved.splice(index - 1, 0, ...moved.splice(index, 1));
    onChange(moved);
  };
  return (
    <fieldset className="editor-rows" data-field={field}>
      <legend>
        {label}
        {required === true && (
          <span className="editor-required" aria-hidden>
            {' *'}
          </span>
        )}
      </legend>
      {help !== undefined && <Input.Description mb="xs">{help}</Input.Description>}
      <Stack gap="xs" ref={list}>
        {rows.map((row, index) => (
          <section key={index} className="editor-row" aria-label={nameOf(row, index)}>
            <div className="editor-row-head">
              {head === undefined ? (
                <Text size="sm" fw={600}>
                  {nameOf(row, index)}
                </Text>
              ) : (
                head(row, index, (next) => replace(index, next))
              )}
            </div>
            {/* Tab moves from the row's name to its value; the buttons come last. */}
            <div className="editor-row-rest">{children(row, index, (next) => replace(index, next))}</div>
            {!isReadOnly && (
              <Group gap={4} wrap="nowrap" className="editor-row-acts">
                {index > 0 && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={words.up(nameOf(row, index))}
                    onClick={() => raise(index)}
                  >
                    <IconArrowUp size={16} aria-hidden />
                  </ActionIcon>
                )}
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={words.remove(nameOf(row, index))}
                  onClick={() => onChange(rows.filter((_, at) => at !== index))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
            )}
          </section>
        ))}
        {error !== undefined && <Input.Error>{error}</Input.Error>}
        {!isReadOnly && (
          <Group gap="xs" justify="space-between">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => {
                isAdded.current = true;
                onChange([...rows, fresh()]);
              }}
            >
              {addLabel}
            </Button>
            {aside}
          </Group>
        )}
      </Stack>
    </fieldset>
  );
}

type Row<Value> = [name: string, value: Value];

interface NamedRowsProps<Value extends Json> {
  label: string;
  addLabel: string;
  /** The prefix of new names, before a number: `value1`. */
  wish: string;
  field: string;
  help?: string | undefined;
  required?: boolean | undefined;
  error?: string | undefined;
  aside?: ReactNode;
  stored: Readonly<Record<string, Value>>;
  fresh: Value;
  onChange: (stored: Record<string, Value>) => void;
  children: (label: string, place: string, value: Value, change: (value: Value) => void) => ReactNode;
}

/** Edits an object as rows of names and values. While a name is typed, it may be empty or a duplicate. */
export function NamedRows<Value extends Json>(props: NamedRowsProps<Value>) {
  const { field, stored, fresh, wish, onChange, children, ...list } = props;
  const isReadOnly = useIsReadOnly();
  const [rows, setRows] = useState<Row<Value>[]>(Object.entries(stored));
  // Changed elsewhere: by undo or in the code.
  if (!isEqualJson(written(rows), stored)) setRows(Object.entries(stored));
  const names = rows.map(([name]) => name);
  const write = (next: Row<Value>[]) => {
    setRows(next);
    onChange(written(next));
  };
  return (
    <RowsEditor
      {...list}
      field={field}
      rows={rows}
      fresh={(): Row<Value> => [freeName(names, wish), fresh]}
      nameOf={([name], index) => name || nameWords.row(index + 1)}
      onChange={write}
      head={([name, value], index, change) => (
        <TextInput
          aria-label={nameWords.name(index + 1)}
          placeholder={nameWords.placeholder}
          size="xs"
          error={nameProblem(names, index)}
          disabled={isReadOnly}
          value={name}
          onChange={({ currentTarget }) => change([currentTarget.value, value])}
        />
      )}
    >
      {([name, value], index, change) =>
        children(nameWords.value(name || nameWords.row(index + 1)), pathTo(field, name), value, (next) =>
          change([name, next]),
        )
      }
    </RowsEditor>
  );
}

function written<Value>(rows: readonly Row<Value>[]): Record<string, Value> {
  return Object.fromEntries(rows.filter(([name]) => name !== ''));
}

function nameProblem(names: readonly string[], index: number): string | undefined {
  const name = names[index] ?? '';
  if (name === '') return nameWords.noName;
  return names.indexOf(name) < index ? nameWords.twice : undefined;
}

export function freeName(names: readonly unknown[], wish: string): string {
  const taken = new Set(names);
  for (let count = names.length + 1; ; count += 1) if (!taken.has(`${wish}${count}`)) return `${wish}${count}`;
}
