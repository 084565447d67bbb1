import { Checkbox, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ComponentType, Suspense, useState } from 'react';
import { FIELD_TYPES, type FieldOption, type FieldType } from '../../../../domain/field.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import type { Field } from '../../../ui/form/FieldForm.tsx';
import { freeName, RowsEditor } from '../../../ui/form/RowsEditor.tsx';
import { lazyPart } from '../../../ui/load/lazyPart.ts';
import { useFreshKeys } from '../../../ui/useFreshKeys.ts';
import { useEditing, useProblem } from '../editing/Editing.tsx';
import type { InputSpec } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';
import { FIELDS } from './words.ts';

const words = EDITOR.form;

const FieldForm = lazyPart(() => import('../../../ui/form/FieldForm.tsx'), 'FieldForm');

interface PresetProps {
  spec: InputSpec;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  isPlain?: boolean;
}

interface FieldsFieldProps {
  /** The field for a default value. Passed in, because a default may itself contain fields. */
  Preset: ComponentType<PresetProps>;
  value: Json | undefined;
  field: string;
  label: string;
  onChange: (value: Json) => void;
  isPlain?: boolean;
}

export function FieldsField({ Preset, value, field, label, onChange, isPlain = false }: FieldsFieldProps) {
  const error = useProblem(field);
  if (typeof value === 'string') return <Text size="sm">{words.byExpression}</Text>;
  const rows = Array.isArray(value) ? value.filter(isJsonObject) : [];
  const keys = rows.map(({ key }) => key);
  const fresh = useFreshKeys();
  return (
    <>
      <RowsEditor
        label={label}
        addLabel={words.add}
        rows={rows}
        field={field}
        error={rows.length === 0 ? error : undefined}
        fresh={() => {
          const key = freeName(keys, 'field');
          fresh.add(key);
          return { key, type: 'text', required: false };
        }}
        nameOf={({ label: text, key }, index) => String(text || key || words.field(index + 1))}
        onChange={onChange}
      >
        {(row, index, change) => (
          <FieldRow
            row={row}
            field={`${field}[${index}]`}
            Preset={Preset}
            isPlain={isPlain}
            onLabel={(text) => {
              const others = keys.filter((_, at) => at !== index);
              const { label: _, ...rest } = row;
              const key = fresh.follow(String(row.key), text, others);
              change({ ...rest, key, ...(text === '' ? {} : { label: text }) });
            }}
            onKey={(key) => {
              fresh.fix(String(row.key));
              change({ ...row, key });
            }}
            onChange={change}
          />
        )}
      </RowsEditor>
      {rows.length > 0 && <FormPreview rows={rows} />}
    </>
  );
}

/** The form that these fields make, which can be tried but not submitted. */
function FormPreview({ rows }: { rows: readonly JsonObject[] }) {
  const [isOpen, setOpen] = useState(false);
  const [isTried, setTried] = useState(false);
  const fields = rows.map(fieldOf);
  return (
    <details className="editor-more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{FIELDS.form.preview}</summary>
      {isOpen && (
        <Suspense fallback={null}>
          <FieldForm
            // The defaults are read once.
            key={JSON.stringify(fields)}
            fields={fields}
            submitLabel={FIELDS.form.submit}
            isBusy={false}
            problems={NO_PROBLEMS}
            onSubmit={() => setTried(true)}
          />
          <Text size="sm" role="status">
            {isTried ? FIELDS.form.notSent : ''}
          </Text>
        </Suspense>
      )}
    </details>
  );
}

const NO_PROBLEMS = {};

/** Reads a field that may be incomplete. */
function fieldOf(row: JsonObject, index: number): Field {
  const text = (member: string) => (typeof row[member] === 'string' ? row[member] : '');
  const type = (FIELD_TYPES as readonly string[]).includes(text('type')) ? (text('type') as FieldType) : 'text';
  return {
    key: text('key') || String(index),
    label: text('label') || text('key'),
    type,
    required: row.required === true,
    ...(row.options === undefined ? {} : { options: optionsIn(row.options) }),
    ...(row.default === undefined ? {} : { default: row.default as NonNullable<Field['default']> }),
    ...(text('help') === '' ? {} : { help: text('help') }),
  };
}

interface FieldRowProps {
  row: JsonObject;
  field: string;
  Preset: ComponentType<PresetProps>;
  isPlain: boolean;
  onLabel: (label: string) => void;
  onKey: (key: string) => void;
  onChange: (row: JsonObject) => void;
}

function FieldRow({ row, field, Preset, isPlain, onLabel, onKey, onChange }: FieldRowProps) {
  const { isReadOnly } = useEditing();
  const problems = {
    key: useProblem(`${field}.key`),
    label: useProblem(`${field}.label`),
    type: useProblem(`${field}.type`),
    options: useProblem(`${field}.options`),
  };
  const set = (member: string, value: Json | undefined) => {
    const { [member]: _, ...rest } = row;
    onChange(value === undefined ? rest : { ...row, [member]: value });
  };
  const text = (member: string) => (typeof row[member] === 'string' ? row[member] : '');
  const type = text('type') as FieldType;
  const chooses = type === 'select' || type === 'multiSelect';
  return (
    <Stack gap={6}>
      <TextInput
        label={words.label}
        data-field={`${field}.label`}
        error={problems.label}
        disabled={isReadOnly}
        value={text('label')}
        placeholder={text('key')}
        onChange={({ currentTarget }) => onLabel(currentTarget.value)}
      />
      <TextInput
        label={words.key}
        required
        data-field={`${field}.key`}
        error={problems.key}
        disabled={isReadOnly}
        value={text('key')}
        onChange={({ currentTarget }) => onKey(currentTarget.value)}
      />
      <NativeSelect
        label={words.type}
        data-field={`${field}.type`}
        error={problems.type}
        disabled={isReadOnly}
        data={FIELD_TYPES.map((one) => ({ value: one, label: words.types[one] }))}
        value={type}
        onChange={({ currentTarget }) => set('type', currentTarget.value)}
      />
      {chooses && (
        <OptionsField
          field={`${field}.options`}
          error={problems.options}
          value={row.options}
          isReadOnly={isReadOnly}
          onChange={(options) => set('options', options as unknown as Json)}
        />
      )}
      <Checkbox
        label={words.required}
        disabled={isReadOnly}
        checked={row.required === true}
        onChange={({ currentTarget }) => set('required', currentTarget.checked)}
      />
      <details className="editor-more" open={row.default !== undefined || row.help !== undefined}>
        <summary>
          {words.preset}, {words.help}
        </summary>
        <Stack gap={6}>
          <Preset
            isPlain={isPlain}
            spec={presetSpec(row, type)}
            field={`${field}.default`}
            value={row.default}
            onChange={(value) => set('default', value)}
          />
          <TextInput
            label={words.help}
            disabled={isReadOnly}
            value={text('help')}
            onChange={({ currentTarget }) => set('help', currentTarget.value || undefined)}
          />
        </Stack>
      </details>
    </Stack>
  );
}

/** A default is edited like a value of its field, so a text may be 42. */
function presetSpec({ options }: JsonObject, type: FieldType): InputSpec {
  return {
    ...{ key: 'default', label: words.preset, required: false, options: optionsIn(options) },
    // A default is not secret: it is part of the definition.
    kind: type === 'secret' ? 'text' : type,
    ...(type === 'multiSelect' ? { help: words.presetList } : {}),
  };
}

interface OptionsFieldProps {
  field: string;
  error: string | undefined;
  value: Json | undefined;
  isReadOnly: boolean;
  onChange: (options: FieldOption[]) => void;
}

function OptionsField({ field, error, value, isReadOnly, onChange }: OptionsFieldProps) {
  const [text, setText] = useState(() => optionsText(value));
  const write = (written: string) => {
    setText(written);
    onChange(optionsOf(written));
  };
  return (
    <Textarea
      label={words.options}
      description={words.optionsHelp}
      data-field={field}
      error={error}
      disabled={isReadOnly}
      autosize
      minRows={2}
      value={text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
  );
}

function optionsIn(value: Json | undefined): FieldOption[] {
  const options = Array.isArray(value) ? value.filter(isJsonObject) : [];
  return options.map(({ value: option, label = option }) => ({ value: String(option), label: String(label) }));
}

function optionsText(value: Json | undefined): string {
  return optionsIn(value)
    .map((option) => (option.label === option.value ? option.value : `${option.value} = ${option.label}`))
    .join('\n');
}

function optionsOf(text: string): FieldOption[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [value = '', ...label] = line.split('=');
      return { value: value.trim(), label: label.length === 0 ? value.trim() : label.join('=').trim() };
    });
}
