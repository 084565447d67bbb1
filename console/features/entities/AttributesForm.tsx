import { Checkbox, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isEqualJson } from '../../../domain/isEqualJson.ts';
import type { Json } from '../../../domain/json.ts';
import { freeName, RowsEditor } from '../../ui/form/RowsEditor.tsx';
import { useFreshKeys } from '../../ui/useFreshKeys.ts';
import { resources } from '../catalogue/queries.ts';
import {
  ATTRIBUTE_KINDS,
  type AttributeKind,
  type AttributeRow,
  attributeKind,
  attributeRows,
  optionsIn,
  withAttributes,
  withKind,
  withOptions,
} from './attributeRows.ts';
import { OBJECTS } from './words.ts';

const words = OBJECTS.typeForm;

type Schema = Record<string, unknown>;

interface AttributesFormProps {
  /** A schema that `attributeRows` can read. */
  schema: Schema;
  onChange: (schema: Schema) => void;
}

/** Edits attributes as rows. While a key is typed, it may be empty or a duplicate. */
export function AttributesForm({ schema, onChange }: AttributesFormProps) {
  const [rows, setRows] = useState(() => attributeRows(schema) ?? []);
  // Changed elsewhere: as JSON.
  if (!isEqualJson(withAttributes(schema, rows) as Json, schema as Json)) setRows(attributeRows(schema) ?? []);
  const keys = useFreshKeys();
  const names = rows.map(({ key }) => key);
  const write = (next: AttributeRow[]) => {
    setRows(next);
    onChange(withAttributes(schema, next));
  };
  return (
    <RowsEditor
      label={words.attributes}
      addLabel={words.addAttribute}
      rows={rows}
      field="attributeSchema.properties"
      fresh={(): AttributeRow => {
        const key = freeName(names, 'attribute');
        keys.add(key);
        return { key, required: false, schema: { type: 'string' } };
      }}
      nameOf={({ key, schema: each }, index) => String(each.title ?? key) || words.attribute(index + 1)}
      onChange={write}
    >
      {(row, index, change) => (
        <AttributeFields
          row={row}
          error={keyProblem(names, index)}
          onLabel={(label) => {
            const others = names.filter((_, at) => at !== index);
            const { title: _, ...rest } = row.schema;
            const titled = label === '' ? rest : { ...rest, title: label };
            change({ ...row, key: keys.follow(row.key, label, others), schema: titled });
          }}
          onKey={(key) => {
            keys.fix(row.key);
            change({ ...row, key });
          }}
          onChange={change}
        />
      )}
    </RowsEditor>
  );
}

function keyProblem(names: readonly string[], index: number): string | undefined {
  const name = names[index] ?? '';
  if (name === '') return words.noKey;
  return names.indexOf(name) < index ? words.keyTwice : undefined;
}

interface AttributeFieldsProps {
  row: AttributeRow;
  error: string | undefined;
  onLabel: (label: string) => void;
  onKey: (key: string) => void;
  onChange: (row: AttributeRow) => void;
}

function AttributeFields({ row, error, onLabel, onKey, onChange }: AttributeFieldsProps) {
  const { key, required, schema } = row;
  const kind = attributeKind(schema);
  const set = (member: string, value: unknown) => {
    const { [member]: _, ...rest } = schema;
    onChange({ ...row, schema: value === '' ? rest : { ...schema, [member]: value } });
  };
  const text = (member: string) => (typeof schema[member] === 'string' ? schema[member] : '');
  return (
    <Stack gap={6}>
      <TextInput
        label={words.label}
        value={text('title')}
        placeholder={key}
        onChange={(event) => onLabel(event.currentTarget.value)}
      />
      <TextInput
        label={words.key}
        required
        error={error}
        value={key}
        onChange={(event) => onKey(event.currentTarget.value)}
      />
      <NativeSelect
        label={words.type}
        data={[
          ...(kind === undefined ? [{ value: '', label: words.otherType }] : []),
          ...ATTRIBUTE_KINDS.map((value) => ({ value, label: words.types[value] })),
        ]}
        value={kind ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ ...row, schema: withKind(schema, currentTarget.value as AttributeKind) })
        }
      />
      {(kind === 'select' || kind === 'multiSelect') && (
        <OptionsField
          options={optionsIn(schema)}
          onChange={(options) => onChange({ ...row, schema: withOptions(schema, options) })}
        />
      )}
      {kind === 'reference' && (
        <ReferenceField
          slug={text('x-objectType')}
          onChange={(slug) => onChange({ ...row, schema: { ...schema, 'x-objectType': slug } })}
        />
      )}
      <Checkbox
        label={words.required}
        checked={required}
        onChange={({ currentTarget }) => onChange({ ...row, required: currentTarget.checked })}
      />
      <TextInput
        label={words.help}
        value={text('description')}
        onChange={(event) => set('description', event.currentTarget.value)}
      />
    </Stack>
  );
}

function OptionsField({ options, onChange }: { options: readonly string[]; onChange: (options: string[]) => void }) {
  const [text, setText] = useState(() => options.join('\n'));
  const read = linesOf(text);
  if (!isEqualJson(read, [...options])) setText(options.join('\n'));
  return (
    <Textarea
      label={words.options}
      description={words.optionsHelp}
      required
      autosize
      minRows={2}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(linesOf(currentTarget.value));
      }}
    />
  );
}

/** An enum may not name a text twice. */
const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

function ReferenceField({ slug, onChange }: { slug: string; onChange: (slug: string) => void }) {
  const { data = [] } = useQuery(resources('objectType', 'slug'));
  const isKnown = data.some(({ value }) => value === slug);
  return (
    <NativeSelect
      label={words.reference}
      required
      data={[...(isKnown ? [] : [{ value: slug, label: slug || words.choose }]), ...data]}
      value={slug}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
