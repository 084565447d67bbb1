import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isEqualJson } from '../../../../domain/isEqualJson.ts';
import type { Json } from '../../../../domain/json.ts';
import { pathTo } from '../../../../domain/place.ts';
import { useIsReadOnly } from '../editing/Editing.tsx';
import { freeName } from '../model/freeName.ts';
import { EDITOR } from '../words/editor.ts';
import { RowsEditor } from './RowsEditor.tsx';

const words = EDITOR.named;

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
      nameOf={([name], index) => name || words.row(index + 1)}
      onChange={write}
      head={([name, value], index, change) => (
        <TextInput
          aria-label={words.name(index + 1)}
          placeholder={words.placeholder}
          size="xs"
          error={nameProblem(names, index)}
          disabled={isReadOnly}
          value={name}
          onChange={({ currentTarget }) => change([currentTarget.value, value])}
        />
      )}
    >
      {([name, value], index, change) =>
        children(words.value(name || words.row(index + 1)), pathTo(field, name), value, (next) => change([name, next]))
      }
    </RowsEditor>
  );
}

function written<Value>(rows: readonly Row<Value>[]): Record<string, Value> {
  return Object.fromEntries(rows.filter(([name]) => name !== ''));
}

function nameProblem(names: readonly string[], index: number): string | undefined {
  const name = names[index] ?? '';
  if (name === '') return words.noName;
  return names.indexOf(name) < index ? words.twice : undefined;
}
