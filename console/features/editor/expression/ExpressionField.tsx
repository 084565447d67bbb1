import { ActionIcon, Input } from '@mantine/core';
import { IconVariablePlus } from '@tabler/icons-react';
import { useId, useMemo, useRef, useState } from 'react';
import type { Json } from '../../../../domain/json.ts';
import { TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { completionsAt } from '../editing/completions.ts';
import { useEditing } from '../editing/Editing.tsx';
import { useFormPlace } from '../editing/FormPlace.tsx';
import { EDITOR } from '../words/editor.ts';
import { ExpressionText } from './ExpressionText.tsx';
import { useAside } from './FieldAside.tsx';
import { loadCodeArea } from './loadCodeArea.ts';
import { Preview } from './Preview.tsx';

const words = EDITOR.values;

interface ExpressionFieldProps {
  label: string;
  value: string;
  previewed: Json | undefined;
  onChange: (text: string) => void;
  required?: boolean | undefined;
  help?: string | undefined;
  error?: string | undefined;
  /** The field's place in the form, which problems refer to. */
  field: string;
  isTall?: boolean;
  /** Shows no label; screen readers still get it. */
  isBare?: boolean;
  /** The expression may read the trigger although the field is in the trigger's form, whose values are mostly plain. */
  readsTrigger?: boolean;
  /** Whether an insertion outside of expressions replaces the whole text, because the field takes one value. */
  isOneValue?: (text: string, at: number) => boolean;
}

const NEVER = () => false;
/** `isOneValue` of a field that never takes a text. */
export const ALWAYS = () => true;

/** A text with `{{ }}`: completes the values that it can read, and previews the result. */
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
  readsTrigger = false,
  isOneValue = NEVER,
}: ExpressionFieldProps) {
  const { isReadOnly } = useEditing();
  const place = useFormPlace();
  const now = useRef(place);
  now.current = place;
  const helpId = useId();
  const [asked, setAsked] = useState(0);
  const complete = useMemo(
    () => (text: string, at: number, isAsked: boolean) => {
      const found = completionsAt(text, at, now.current, isAsked);
      return found?.isWhole === true && isOneValue(text, at) ? { ...found, replacesAll: true } : found;
    },
    [isOneValue],
  );
  const ask = () => {
    loadCodeArea();
    setAsked((count) => count + 1);
  };
  const aside = useAside(
    isReadOnly || (place.node === TRIGGER_ID && !readsTrigger) ? undefined : (
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={words.insert}
        title={words.insertHelp}
        onClick={ask}
      >
        <IconVariablePlus size={16} aria-hidden />
      </ActionIcon>
    ),
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
        asked={asked}
        known={place.scope}
        onChange={isReadOnly ? undefined : onChange}
      />
      <Preview value={previewed} scope={place.scope} label={label} />
    </Input.Wrapper>
  );
}
