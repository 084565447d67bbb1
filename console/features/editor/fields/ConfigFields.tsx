import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Json } from '../../../../domain/json.ts';
import { HIDDEN_SECRET } from '../../../../domain/workflow/maskTrigger.ts';
import { useEditing } from '../editing/Editing.tsx';
import { useProblem } from '../editing/FormPlace.tsx';
import { EDITOR } from '../words/editor.ts';

interface ConfigFieldProps {
  label: string;
  field: string;
  value: Json | undefined;
  onChange: (value: string | undefined) => void;
  help?: ReactNode;
  required?: boolean;
}

function useField({ field, value, help }: ConfigFieldProps) {
  const { isReadOnly } = useEditing();
  const error = useProblem(field);
  return {
    error,
    disabled: isReadOnly,
    'data-field': field,
    value: value === undefined || value === null ? '' : String(value),
    ...(help === undefined ? {} : { description: help }),
  };
}

export function TextField(props: ConfigFieldProps) {
  return (
    <TextInput
      {...useField(props)}
      label={props.label}
      required={props.required ?? false}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value || undefined)}
    />
  );
}

/** A stored secret arrives as a mask and is sent back unchanged. */
export function SecretTextField(props: ConfigFieldProps) {
  const isMasked = props.value === HIDDEN_SECRET;
  return (
    <PasswordInput
      {...useField(isMasked ? { ...props, help: EDITOR.input.masked } : props)}
      label={props.label}
      required={props.required ?? false}
      autoComplete="off"
      onChange={({ currentTarget }) => props.onChange(currentTarget.value || undefined)}
    />
  );
}

export function SelectField({ options, ...props }: ConfigFieldProps & { options: { value: string; label: string }[] }) {
  const field = useField(props);
  const isKnown = field.value === '' || options.some(({ value }) => value === field.value);
  return (
    <NativeSelect
      {...field}
      label={props.label}
      required={props.required ?? false}
      data={isKnown ? options : [{ value: field.value, label: field.value }, ...options]}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value || undefined)}
    />
  );
}

export const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
