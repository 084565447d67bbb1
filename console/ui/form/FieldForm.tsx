import './fieldForm.css';
import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Radio,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { components } from 'perdure-client';
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { WORDS } from '../words/words.ts';
import { fieldValues, type Given, givenDefaults } from './fieldValues.ts';

export type Field = components['schemas']['Field'];

/** Up to this number, choices are buttons, so that one touch decides. */
const MAX_BUTTONS = 4;
/** Above this number, options have a search field. */
const MAX_UNSEARCHED = 12;

interface FieldFormProps {
  fields: readonly Field[];
  /** Initial values by key, instead of the defaults. */
  initial?: Readonly<Record<string, unknown>> | undefined;
  children?: ReactNode;
  beside?: ReactNode;
  submitLabel: string;
  isBusy: boolean;
  problems: Readonly<Record<string, string>>;
  /** `next`: submitted with the second button, or with Ctrl or ⌘ and Enter. */
  onSubmit: (values: Record<string, unknown>, how: { next: boolean; all: boolean }) => void;
  onGiven?: (given: Given) => void;
  /** A second button, which submits and continues with the next form. */
  nextLabel?: string | undefined;
  /** A third button, which submits for more than this form. */
  allLabel?: string | undefined;
  /** Read-only: the text stays so that it can be copied. */
  isLocked?: boolean;
}

const NEXT = 'next';
const ALL = 'all';

/** A form of the nine field types, with the labels of its author. */
export function FieldForm({
  fields,
  initial,
  children,
  beside,
  submitLabel,
  isBusy,
  problems,
  onSubmit,
  onGiven,
  nextLabel,
  allLabel,
  isLocked = false,
}: FieldFormProps) {
  const [given, setGiven] = useState<Given>(() => givenDefaults(fields, initial));
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const change = (next: Given) => {
    setGiven(next);
    onGiven?.(next);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || isLocked) return;
    const { values, problems: own } = fieldValues(fields, given);
    setWrong(own);
    if (Object.keys(own).length > 0) {
      focusFirstOf(event.currentTarget, fields, own);
      return;
    }
    const { submitter } = event.nativeEvent as SubmitEvent;
    const by = submitter instanceof HTMLButtonElement ? submitter.value : '';
    onSubmit(values, { next: by === NEXT, all: by === ALL });
  };
  const submitByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit(event.currentTarget.querySelector<HTMLButtonElement>(`button[value=${NEXT}]`));
  };
  const lacking = fields.filter(({ key }) => wrong[key] !== undefined).map(({ key, label }) => label || key);
  return (
    <form onSubmit={submit} onKeyDown={submitByKey} noValidate>
      <fieldset className="fields" disabled={isLocked}>
        <Stack>
          {children}
          {fields.map((field) => (
            <div key={field.key} data-key={field.key}>
              <FieldInput
                field={field}
                value={given[field.key]}
                error={wrong[field.key] ?? problems[field.key]}
                onChange={(value) => change({ ...given, [field.key]: value })}
              />
            </div>
          ))}
          {lacking.length > 0 && (
            <Text role="alert" size="sm" c="var(--ink-bad)">
              {WORDS.form.notSubmitted(lacking.join(', '))}
            </Text>
          )}
          <Group className="form-buttons">
            <Button type="submit" loading={isBusy}>
              {submitLabel}
            </Button>
            {nextLabel !== undefined && (
              <Button type="submit" value={NEXT} variant="default" disabled={isBusy}>
                {nextLabel}
              </Button>
            )}
            {allLabel !== undefined && (
              <Button type="submit" value={ALL} variant="subtle" disabled={isBusy}>
                {allLabel}
              </Button>
            )}
            {beside}
          </Group>
        </Stack>
      </fieldset>
    </form>
  );
}

function focusFirstOf(form: HTMLElement, fields: readonly Field[], problems: Readonly<Record<string, string>>): void {
  const first = fields.find(({ key }) => problems[key] !== undefined);
  if (first === undefined) return;
  form.querySelector<HTMLElement>(`[data-key="${CSS.escape(first.key)}"] :is(input, textarea, select)`)?.focus();
}

interface FieldInputProps {
  field: Field;
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

function FieldInput({ field, value, error, onChange }: FieldInputProps) {
  const { type, key, required, help, options = [] } = field;
  // A field declared through the API may have an empty label.
  const label = field.label || key;
  const common = { label, required, error, ...(help === undefined ? {} : { description: help }) };
  const text = typeof value === 'string' ? value : '';
  const choices = options.map((option) => ({ value: String(option.value), label: option.label }));
  switch (type) {
    case 'boolean':
      return required ? (
        <Choices
          {...common}
          choices={[
            { value: 'true', label: WORDS.form.yes },
            { value: 'false', label: WORDS.form.no },
          ]}
          value={typeof value === 'boolean' ? String(value) : ''}
          onChange={(chosen) => onChange(chosen === 'true')}
        />
      ) : (
        <Checkbox {...common} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      );
    case 'select':
      if (choices.length <= MAX_BUTTONS) {
        return <Choices {...common} choices={choices} value={text} onChange={onChange} />;
      }
      return choices.length > MAX_UNSEARCHED ? (
        <Select
          {...common}
          searchable
          allowDeselect={!required}
          data={choices}
          value={text || null}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      ) : (
        <NativeSelect
          {...common}
          data={[{ value: '', label: '' }, ...choices]}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'multiSelect':
      return (
        <MultiSelect
          {...common}
          searchable={choices.length > MAX_UNSEARCHED}
          data={choices}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
        />
      );
    case 'number':
      return <NumberInput {...common} value={typeof value === 'number' ? value : text} onChange={onChange} />;
    case 'date':
      return (
        <TextInput {...common} type="date" value={text} onChange={(event) => onChange(event.currentTarget.value)} />
      );
    case 'secret':
      return (
        <PasswordInput
          {...common}
          autoComplete="off"
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'json':
    case 'longText':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={16}
          spellCheck={type !== 'json'}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      return <TextInput {...common} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
}

interface ChoicesProps {
  label: string;
  required: boolean;
  error: string | undefined;
  description?: string;
  choices: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}

function Choices({ choices, ...group }: ChoicesProps) {
  return (
    <Radio.Group {...group}>
      <Group mt={4} gap="sm">
        {choices.map(({ value, label }) => (
          <Radio
            key={value}
            value={value}
            label={label}
            classNames={{ root: 'choice', body: 'choice-body', labelWrapper: 'choice-label' }}
          />
        ))}
      </Group>
    </Radio.Group>
  );
}
