import './codeArea.css';
import { completionStatus, startCompletion } from '@codemirror/autocomplete';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { type CodeMark, goToMark, markGutter, showMarks } from './codeMarks.ts';
import { type CodeLanguage, codeExtensions, fieldExtensions } from './codeMirror.ts';
import { type Complete, completingField } from './fieldCompletion.ts';

/** Offsets in a text. */
export interface SelectedRange {
  from: number;
  to: number;
}

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
  /** A field of a form: as high as its text, without numbers of lines. */
  isField?: boolean;
  /** What may be written at a place. Must be the same function over renders. */
  complete?: Complete;
  /** Each count above 0 opens the list of what may be written: where the text was left, or at its end. */
  asked?: number;
  /** What the list is made of: where it is another while nothing was typed into the list, that is made once more. */
  known?: unknown;
  /** What is wrong in the text. Absent: nothing is checked. */
  marks?: readonly CodeMark[];
  /** The mark to lead to; another object leads there once more. */
  goTo?: CodeMark | undefined;
  /** Given a range when it is built, it has the focus with this selected, and takes the range away. */
  takesFocus?: RefObject<SelectedRange | undefined>;
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
  isField = false,
  complete,
  asked = 0,
  known,
  marks,
  goTo,
  takesFocus,
}: CodeAreaProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const change = useRef(onChange);
  change.current = onChange;
  const first = useRef(value);
  const isReadOnly = onChange === undefined;
  const isChecked = marks !== undefined;
  /** While a text from outside is put in: nobody wrote it here. */
  const isGiven = useRef(false);
  const wasEntered = useRef(false);
  /** Where the list was opened: behind it one types what is looked for. */
  const listedAt = useRef<number>(undefined);
  // With the text that it stands in for still on the screen: a key that comes meanwhile finds it.
  useLayoutEffect(() => {
    if (place.current === null) return;
    const tells = EditorView.updateListener.of(({ docChanged, focusChanged, startState, state }) => {
      if (completionStatus(startState) === null && completionStatus(state) !== null) {
        listedAt.current = state.selection.main.head;
      }
      if (focusChanged) wasEntered.current = true;
      if (!docChanged) return;
      first.current = state.doc.toString();
      if (isGiven.current) return;
      change.current?.(first.current);
    });
    const state = EditorState.create({
      doc: first.current,
      extensions: [
        isField ? fieldExtensions(label, isReadOnly) : codeExtensions(language, label, isReadOnly),
        tells,
        complete === undefined ? [] : completingField(complete),
        isChecked ? markGutter() : [],
        [...extensions],
      ],
    });
    const shown = new EditorView({ state, parent: place.current });
    view.current = shown;
    const range = takesFocus?.current;
    if (takesFocus !== undefined && range !== undefined) {
      takesFocus.current = undefined;
      shown.focus();
      shown.dispatch({ selection: { anchor: range.from, head: range.to } });
    }
    return () => shown.destroy();
  }, [language, label, isReadOnly, isField, complete, isChecked, extensions, takesFocus]);
  useEffect(() => {
    const shown = view.current;
    if (shown === undefined || shown.state.doc.toString() === value) return;
    isGiven.current = true;
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: value } });
    isGiven.current = false;
  }, [value]);
  useEffect(() => {
    if (view.current !== undefined && marks !== undefined) showMarks(view.current, marks);
  }, [marks]);
  useEffect(() => {
    if (view.current !== undefined && goTo !== undefined) goToMark(view.current, goTo);
  }, [goTo]);
  useEffect(() => {
    const shown = view.current;
    if (shown === undefined || asked === 0) return;
    if (!wasEntered.current) shown.dispatch({ selection: { anchor: shown.state.doc.length } });
    shown.focus();
    startCompletion(shown);
  }, [asked]);
  useEffect(() => {
    const shown = view.current;
    if (shown === undefined || listedAt.current !== shown.state.selection.main.head) return;
    if (completionStatus(shown.state) !== null) startCompletion(shown);
  }, [known]);
  return <div ref={place} className="code" style={{ '--code-height': minHeight } as React.CSSProperties} />;
}
