import { Stack, TextInput } from '@mantine/core';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import { useEditing } from '../editing/Editing.tsx';
import { useFormPlace, useProblem } from '../editing/FormPlace.tsx';
import { freeName } from '../model/freeName.ts';
import { nodeOf } from '../model/graphChanges.ts';
import { EDITOR } from '../words/editor.ts';
import { JsonField } from './JsonField.tsx';
import { RowsEditor } from './RowsEditor.tsx';

const words = EDITOR.cases;

/** Edits the cases of a switch. Each case is an outgoing way with its name. */
export function CasesField({
  value,
  field,
  onChange,
}: {
  value: Json | undefined;
  field: string;
  onChange: (value: Json) => void;
}) {
  const error = useProblem(field);
  const rows = Array.isArray(value) ? value.filter(isJsonObject) : [];
  const names = rows.map(({ name }) => name);
  return (
    <RowsEditor
      label={words.title}
      addLabel={words.add}
      rows={rows}
      field={field}
      error={rows.length === 0 ? error : undefined}
      fresh={() => ({ name: freeName(names, words.wish) })}
      nameOf={({ name }, index) => (typeof name === 'string' && name !== '' ? name : words.case(index + 1))}
      onChange={onChange}
    >
      {(row, index, change) => <CaseRow row={row} field={`${field}[${index}]`} onChange={change} />}
    </RowsEditor>
  );
}

function CaseRow({ row, field, onChange }: { row: JsonObject; field: string; onChange: (row: JsonObject) => void }) {
  const { isReadOnly, draft } = useEditing();
  const { node } = useFormPlace();
  const nameProblem = useProblem(`${field}.name`);
  const problems = { when: useProblem(`${field}.when`), equals: useProblem(`${field}.equals`) };
  // A value to compare with the switch's value, or a condition.
  const way = nodeOf(draft.definition, node)?.inputs?.value === undefined ? 'when' : 'equals';
  const write = (key: 'when' | 'equals') => (value: Json | undefined) => {
    const { when: _, equals: __, ...rest } = row;
    onChange(value === undefined ? rest : { ...rest, [key]: value });
  };
  return (
    <Stack gap={6}>
      <TextInput
        label={words.name}
        required
        data-field={`${field}.name`}
        error={nameProblem}
        disabled={isReadOnly}
        value={typeof row.name === 'string' ? row.name : ''}
        onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
      />
      <JsonField
        key={way}
        label={words[way]}
        field={`${field}.${way}`}
        error={problems[way]}
        value={row[way]}
        onChange={write(way)}
      />
    </Stack>
  );
}
