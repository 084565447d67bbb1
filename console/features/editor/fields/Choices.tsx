import { ActionIcon, Anchor, NativeSelect } from '@mantine/core';
import { IconMathFunction, IconSelector } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { holdsExpression } from '../../../../domain/expression/template.ts';
import type { Json } from '../../../../domain/json.ts';
import type { ResourceKind } from '../../catalogue/queries.ts';
import { useEditing } from '../editing/Editing.tsx';
import { FieldAside, useAside } from '../expression/ExpressionField.tsx';
import type { InputSpec } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR.input;

interface OrExpressionProps {
  value: Json | undefined;
  /** Whether only the expression field can show the value; by default, whether it contains an expression. */
  isOpen?: boolean;
  says?: { write: string; choose: string };
  onClear: () => void;
  plain: ReactNode;
  children: ReactNode;
}

/** Shows a plain field or an expression field, with a button to switch between them. */
export function OrExpression({ value, onClear, plain, children, ...given }: OrExpressionProps) {
  const { isReadOnly } = useEditing();
  const { isOpen = typeof value === 'string' && holdsExpression(value) } = given;
  const { says = { write: words.useExpression, choose: words.value } } = given;
  const [wanted, setWanted] = useState(isOpen);
  const isExpression = isOpen || wanted;
  const label = isExpression ? says.choose : says.write;
  const Icon = isExpression ? IconSelector : IconMathFunction;
  const isPressed = useRef(false);
  // The button is part of the field that was replaced, so the new one takes the focus once it is loaded.
  const keepFocus = (button: HTMLButtonElement | null) => {
    if (button === null || !isPressed.current) return;
    isPressed.current = false;
    button.focus();
  };
  const other = () => {
    isPressed.current = true;
    if (isExpression && value !== undefined) onClear();
    setWanted(!isExpression);
  };
  return (
    <FieldAside
      aside={
        !isReadOnly && (
          <ActionIcon ref={keepFocus} variant="default" size={36} aria-label={label} title={label} onClick={other}>
            <Icon size={16} aria-hidden />
          </ActionIcon>
        )
      }
    >
      {isExpression ? children : plain}
    </FieldAside>
  );
}

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

/** Formats an input for an expression field: texts unchanged, other values as JSON, no value as an empty text. */
export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

const PLACES = {
  workflow: '/workflows/new',
  agent: '/agents',
  queue: '/queues',
  objectType: '/objects',
  knowledge: '/knowledge',
  connection: '/settings/connections',
} as const satisfies Record<ResourceKind | 'connection', string>;

/** Links to the page that creates such a resource, in another tab, so that unsaved changes stay. */
export function NoneYet({ kind }: { kind: keyof typeof PLACES }) {
  return (
    <>
      {EDITOR.none.there[kind]}{' '}
      <Anchor inherit underline="always" renderRoot={(props) => <Link to={PLACES[kind]} target="_blank" {...props} />}>
        {EDITOR.none.make}
      </Anchor>
    </>
  );
}
