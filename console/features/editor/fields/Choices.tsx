import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Json } from '../../../../domain/json.ts';
import { useEditing } from '../editing/Editing.tsx';
import { useAside } from '../expression/FieldAside.tsx';
import type { InputSpec } from '../model/inputSpecs.ts';
import { EDITOR } from '../words/editor.ts';

interface ChoicesProps {
  spec: InputSpec;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  error: string | undefined;
  options: readonly { value: string; label: string }[];
  read: (text: string) => Json;
  note?: ReactNode;
}

/** Selects one option or none. A value that is not an option is shown unchanged. */
export function Choices({ spec, field, value, onChange, error, options, read, note }: ChoicesProps) {
  const { isReadOnly } = useEditing();
  const given = value === undefined || value === null ? '' : String(value);
  const isKnown = given === '' || options.some((option) => option.value === given);
  return (
    <NativeSelect
      label={spec.label}
      required={spec.required}
      description={
        note === undefined ? (
          spec.help
        ) : (
          <>
            {spec.help} {note}
          </>
        )
      }
      error={error}
      data-field={field}
      {...useAside()}
      disabled={isReadOnly}
      data={[
        { value: '', label: EDITOR.input.nothing(spec.preset) },
        ...(isKnown ? [] : [{ value: given, label: given }]),
        ...options,
      ]}
      value={given}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : read(currentTarget.value))}
    />
  );
}
