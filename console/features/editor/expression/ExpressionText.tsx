import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { SelectedRange } from '../../../ui/code/CodeArea.tsx';
import type { Complete } from '../../../ui/code/fieldCompletion.ts';
import { loadCodeArea, useCodeArea } from './loadCodeArea.ts';

interface ExpressionTextProps {
  label: string;
  value: string;
  onChange: ((text: string) => void) | undefined;
  minHeight: string;
  complete: Complete;
  /** Counts the requests to open the list of completions. */
  asked: number;
  /** Changes when the available values change. */
  known: unknown;
}

/**
 * Shows a plain field until it is entered, because the code editor is large. It then takes over focus and selection.
 */
export function ExpressionText({ label, value, onChange, minHeight, complete, asked, known }: ExpressionTextProps) {
  const CodeArea = useCodeArea();
  const [isComposing, setIsComposing] = useState(false);
  /** The selection of the plain field if it had the focus when it was removed. */
  const left = useRef<SelectedRange>(undefined);
  const shared = { label, value, minHeight };
  if (CodeArea === undefined || isComposing) {
    return <PlainText {...shared} {...{ onChange, left }} onComposing={setIsComposing} />;
  }
  const changes = onChange === undefined ? {} : { onChange };
  return <CodeArea isField language="text" {...shared} {...{ complete, asked, known, ...changes }} takesFocus={left} />;
}

interface PlainTextProps extends Omit<ExpressionTextProps, 'complete' | 'asked' | 'known'> {
  left: RefObject<SelectedRange | undefined>;
  /** During composition (IME input) the plain field must stay. */
  onComposing: (isComposing: boolean) => void;
}

function PlainText({ label, value, minHeight, onChange, left, onComposing }: PlainTextProps) {
  const place = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const field = place.current;
    return () => {
      if (field === null || document.activeElement !== field) return;
      left.current = { from: field.selectionStart, to: field.selectionEnd };
    };
  }, [left]);
  return (
    <textarea
      ref={place}
      className="editor-text"
      aria-label={label}
      rows={value.split('\n').length}
      spellCheck={false}
      readOnly={onChange === undefined}
      style={{ minHeight }}
      value={value}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      onFocus={loadCodeArea}
      onPointerEnter={loadCodeArea}
      onCompositionStart={() => onComposing(true)}
      onCompositionEnd={() => onComposing(false)}
    />
  );
}
