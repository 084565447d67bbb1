import { ActionIcon, Button, Group, Input, Stack, Text } from '@mantine/core';
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { EDITOR } from '../words/en/editor.ts';
import { useEditing } from './Editing.tsx';

const words = EDITOR.input;

interface RowsEditorProps<Row> {
  label: string;
  addLabel: string;
  rows: readonly Row[];
  /** A new row. */
  fresh: () => Row;
  nameOf: (row: Row, index: number) => string;
  onChange: (rows: Row[]) => void;
  /** Of the list itself. */
  error?: string | undefined;
  field: string;
  children: (row: Row, index: number, change: (row: Row) => void) => ReactNode;
}

/** A list in a form: rows can be added, removed, and moved. */
export function RowsEditor<Row>(props: RowsEditorProps<Row>) {
  const { label, addLabel, rows, fresh, nameOf, onChange, error, field, children } = props;
  const { isReadOnly } = useEditing();
  const list = useRef<HTMLDivElement>(null);
  const isAdded = useRef(false);
  useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    // One goes on with what was just added.
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
      <legend>{label}</legend>
      <Stack gap="xs" ref={list}>
        {rows.map((row, index) => (
          <section key={index} className="editor-row" aria-label={nameOf(row, index)}>
            <Group gap={4} mb={4}>
              <Text size="sm" fw={600} style={{ marginRight: 'auto' }}>
                {nameOf(row, index)}
              </Text>
              {!isReadOnly && index > 0 && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={words.up(nameOf(row, index))}
                  onClick={() => raise(index)}
                >
                  <IconArrowUp size={16} aria-hidden />
                </ActionIcon>
              )}
              {!isReadOnly && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={words.remove(nameOf(row, index))}
                  onClick={() => onChange(rows.filter((_, at) => at !== index))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
            {children(row, index, (next) => replace(index, next))}
          </section>
        ))}
        {error !== undefined && <Input.Error>{error}</Input.Error>}
        {!isReadOnly && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            style={{ alignSelf: 'start' }}
            onClick={() => {
              isAdded.current = true;
              onChange([...rows, fresh()]);
            }}
          >
            {addLabel}
          </Button>
        )}
      </Stack>
    </fieldset>
  );
}
