import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { type CodeLanguage, codeExtensions } from './codeMirror.ts';

export interface CodeAreaProps {
  value: string;
  language: CodeLanguage;
  /** The name of the field. */
  label: string;
  /** Absent: the text is shown only. */
  onChange?: (value: string) => void;
  /** Must be the same array over renders: another one builds the editor again. */
  extensions?: readonly Extension[];
  minHeight?: string;
}

const NOTHING: readonly Extension[] = [];

/** A text of code. Loaded by `CodeEditor`, which is what pages use. */
export function CodeArea({
  value,
  language,
  label,
  onChange,
  extensions = NOTHING,
  minHeight = '8rem',
}: CodeAreaProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const change = useRef(onChange);
  change.current = onChange;
  const first = useRef(value);
  const isReadOnly = onChange === undefined;
  useEffect(() => {
    if (place.current === null) return;
    const tells = EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      first.current = state.doc.toString();
      change.current?.(first.current);
    });
    const state = EditorState.create({
      doc: first.current,
      extensions: [codeExtensions(language, label, isReadOnly), tells, [...extensions]],
    });
    view.current = new EditorView({ state, parent: place.current });
    return () => view.current?.destroy();
  }, [language, label, isReadOnly, extensions]);
  useEffect(() => {
    const shown = view.current;
    if (shown === undefined || shown.state.doc.toString() === value) return;
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={place} className="code" style={{ '--code-height': minHeight } as React.CSSProperties} />;
}
