import { ActionIcon } from '@mantine/core';
import { IconMathFunction, IconSelector } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { holdsExpression } from '../../../../domain/expression/template.ts';
import type { Json } from '../../../../domain/json.ts';
import { useEditing } from '../editing/Editing.tsx';
import { FieldAside } from '../expression/FieldAside.tsx';
import { EDITOR } from '../words/editor.ts';

const words = EDITOR.input;

interface OrExpressionProps {
  value: Json | undefined;
  /** An expression is what is asked for where nothing is given yet. */
  isFirst: boolean;
  /** Whether only the field for an expression can show the value; where absent, whether it is one. */
  isOpen?: boolean;
  /** What the button is called. */
  says?: { write: string; choose: string };
  /** The value goes with the way it was written. */
  onClear: () => void;
  plain: ReactNode;
  /** The field for an expression. */
  children: ReactNode;
}

/** A field, or one for an expression in its place, and the button that changes between them. */
export function OrExpression({ value, isFirst, onClear, plain, children, ...given }: OrExpressionProps) {
  const { isReadOnly } = useEditing();
  const { isOpen = typeof value === 'string' && holdsExpression(value) } = given;
  const { says = { write: words.useExpression, choose: words.value } } = given;
  const [wanted, setWanted] = useState(isOpen || (isFirst && typeof value !== 'boolean'));
  const isExpression = isOpen || wanted;
  const label = isExpression ? says.choose : says.write;
  const Icon = isExpression ? IconSelector : IconMathFunction;
  const isPressed = useRef(false);
  // It stands in the field, which is another one now; that may have to be loaded first.
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
