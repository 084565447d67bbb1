import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { SelectedRange } from '../../../ui/code/CodeArea.tsx';
import type { Complete } from '../../../ui/code/fieldCompletion.ts';
import { loadCodeArea, useCodeArea } from './loadCodeArea.ts';

interface ExpressionTextProps {
  label: string;
  value: string;
  /** Absent: the text is shown only. */
  onChange: ((text: string) => void) | undefined;
  minHeight: string;
  complete: Complete;
  /** How often what may be written was asked for. */
  asked: number;
  /** Another one where other values are known. */
  known: unknown;
}

/**
 * A text with expressions. A plain field until one is entered: the editor of code weighs as much as the rest of the page.
 * It takes the field's place, focus and selection when it has come.
 */
export function ExpressionText({ label, value, onChange, minHeight, complete, asked, known }: ExpressionTextProps) {
  const CodeArea = useCodeArea();
  const [isComposing, setIsComposing] = useState(false);
  /** What was selected in the plain field, where it had the focus when it went. */
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
  /** A letter is put together from several keys: the field must stay until it is there. */
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
