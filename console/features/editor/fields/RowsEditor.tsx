import './rows.css';
import { ActionIcon, Button, Group, Input, Stack, Text } from '@mantine/core';
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useIsReadOnly } from '../editing/Editing.tsx';
import { EDITOR } from '../words/editor.ts';

const words = EDITOR.input;

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
