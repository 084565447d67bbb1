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
  /** What a new row is called, before a number: `value1`. */
  wish: string;
  field: string;
  help?: string | undefined;
  required?: boolean | undefined;
  error?: string | undefined;
  /** Beside the button that adds a row. */
  aside?: ReactNode;
  stored: Readonly<Record<string, Value>>;
  /** The value of a new row. */
  fresh: Value;
  onChange: (stored: Record<string, Value>) => void;
  /** The field of a value: what it is called, and its place in the form. */
  children: (label: string, place: string, value: Value, change: (value: Value) => void) => ReactNode;
}

/** An object as rows of names and values. A name that is being written may be empty, or there twice, for a while. */
export function NamedRows<Value extends Json>(props: NamedRowsProps<Value>) {
  const { field, stored, fresh, wish, onChange, children, ...list } = props;
  const isReadOnly = useIsReadOnly();
  const [rows, setRows] = useState<Row<Value>[]>(Object.entries(stored));
  // Somebody else changed it: undo, or the code.
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
