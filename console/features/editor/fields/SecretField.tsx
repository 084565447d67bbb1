import { PasswordInput } from '@mantine/core';
import type { Json } from '../../../../domain/json.ts';
import { HIDDEN_SECRET } from '../../../../domain/workflow/maskTrigger.ts';
import { useEditing } from '../editing/Editing.tsx';
import { useAside } from '../expression/ExpressionField.tsx';
import type { InputSpec } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';

interface SecretFieldProps {
  spec: InputSpec;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  error: string | undefined;
}

export function SecretField({ spec, field, value, onChange, error }: SecretFieldProps) {
  const { isReadOnly } = useEditing();
  return (
    <PasswordInput
      label={spec.label}
      required={spec.required}
      description={value === HIDDEN_SECRET ? EDITOR.input.masked : spec.help}
      error={error}
      data-field={field}
      {...useAside()}
      disabled={isReadOnly}
      autoComplete="off"
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}
