import { Input } from '@mantine/core';
import { useId, useMemo, useRef } from 'react';
import type { Json } from '../../domain/json.ts';
import { completionsAt } from './completions.ts';
import { useEditing } from './Editing.tsx';
import { ExpressionText } from './ExpressionText.tsx';
import { useAside } from './FieldAside.tsx';
import { useFormPlace } from './FormPlace.tsx';
import { Preview } from './Preview.tsx';

interface ExpressionFieldProps {
  label: string;
  value: string;
  /** The value that the text stands for, for the preview. */
  previewed: Json | undefined;
  onChange: (text: string) => void;
  required?: boolean | undefined;
  help?: string | undefined;
  error?: string | undefined;
  /** Its place in the form, by which problems find it. */
  field: string;
  isTall?: boolean;
  /** Its label is heard, not seen. */
  isBare?: boolean;
}

/** A text that may hold `{{ }}`: completes names, and shows what it becomes with the values of a real execution. */
export function ExpressionField({
  label,
  value,
  previewed,
  onChange,
  required = false,
  help,
  error,
  field,
  isTall = false,
  isBare = false,
}: ExpressionFieldProps) {
  const { isReadOnly } = useEditing();
  const place = useFormPlace();
  const now = useRef(place);
  now.current = place;
  const helpId = useId();
  const aside = useAside();
  const complete = useMemo(
    () => (text: string, at: number) => completionsAt(text, at, now.current.known, now.current.functions),
    [],
  );
  return (
    <Input.Wrapper
      label={isBare ? undefined : label}
      labelElement="div"
      required={required}
      {...(help === undefined ? {} : { description: help })}
      descriptionProps={{ id: helpId }}
      error={error}
      errorProps={{ style: { whiteSpace: 'pre-wrap' } }}
      data-field={field}
      {...aside}
    >
      <ExpressionText
        label={label}
        value={value}
        minHeight={isTall ? '4.5rem' : '2rem'}
        complete={complete}
        onChange={isReadOnly ? undefined : onChange}
      />
      <Preview value={previewed} scope={place.scope} label={label} />
    </Input.Wrapper>
  );
}
