import { Stack, TextInput } from '@mantine/core';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import { freeName, RowsEditor } from '../../../ui/form/RowsEditor.tsx';
import { useEditing, useFormPlace, useProblem } from '../editing/Editing.tsx';
import { nodeOf } from '../model/graphChanges.ts';
import { EDITOR } from '../words.ts';
import { ConditionField } from './ConditionField.tsx';
import { JsonField } from './JsonField.tsx';

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
      label={EDITOR.cases.title}
      addLabel={EDITOR.cases.add}
      rows={rows}
      field={field}
      error={rows.length === 0 ? error : undefined}
      fresh={() => ({ name: freeName(names, EDITOR.cases.wish) })}
      nameOf={({ name }, index) => (typeof name === 'string' && name !== '' ? name : EDITOR.cases.case(index + 1))}
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
  const value = (key: 'when' | 'equals') => ({
    ...{ label: EDITOR.cases[key], field: `${field}.${key}`, error: problems[key], value: row[key] },
    onChange: write(key),
  });
  return (
    <Stack gap={6}>
      <TextInput
        label={EDITOR.cases.name}
        required
        data-field={`${field}.name`}
        error={nameProblem}
        disabled={isReadOnly}
        value={typeof row.name === 'string' ? row.name : ''}
        onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
      />
      {way === 'when' ? <ConditionField {...value('when')} required /> : <JsonField key={way} {...value(way)} />}
    </Stack>
  );
}
