import './codeArea.css';
import { completionStatus, startCompletion } from '@codemirror/autocomplete';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { type CodeLanguage, codeExtensions, fieldExtensions } from './codeMirror.ts';
import { type Complete, completingField } from './fieldCompletion.ts';

export interface SelectedRange {
  from: number;
  to: number;
}

export interface CodeAreaProps {
  value: string;
  language: CodeLanguage;
  label: string;
  /** Absent: the text is read-only. */
  onChange?: (value: string) => void;
  /** Must be the same array at each render: another one rebuilds the editor. */
  extensions?: readonly Extension[];
  minHeight?: string;
  /** A field of a form: as high as its text, without line numbers. */
  isField?: boolean;
  /** Returns the completions at a position. Must be the same function at each render. */
  complete?: Complete;
  /** Each increase opens the completions at the last cursor position, or at the end of the text. */
  asked?: number;
  /** The data of the completions. If it changes before something is typed into the list, the list is rebuilt. */
  known?: unknown;
  marks?: readonly CodeMark[];
  /** The mark to scroll to. A new object scrolls there again. */
  goTo?: CodeMark | undefined;
  /** If set when the editor is built, the editor takes the focus, selects this range and clears the ref. */
  takesFocus?: RefObject<SelectedRange | undefined>;
}

const NOTHING: readonly Extension[] = [];

/** The code editor; pages use `CodeEditor`, which loads it. */
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
  /** True while a text from outside is applied: `onChange` is not called. */
  const isGiven = useRef(false);
  const wasEntered = useRef(false);
  /** The position at which the list was opened; the text behind it filters the list. */
  const listedAt = useRef<number>(undefined);
  // Before paint, while the replaced text is still visible, so that no key press is lost.
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

/** An error in a text; `from` and `to` are character offsets. */
export interface CodeMark {
  from: number;
  to: number;
  /** The path of the error, which links to the mark. */
  path: string;
  message: string;
}

const markGutter = (): Extension => lintGutter();

/** Replaces all marks. Marks beyond the end of the text are moved to the end. */
function showMarks(view: EditorView, marks: readonly CodeMark[]): void {
  const { length } = view.state.doc;
  const diagnostics = marks.map(
    ({ from, to, message }): Diagnostic => ({
      from: Math.min(from, length),
      to: Math.min(Math.max(to, from), length),
      severity: 'error',
      message,
    }),
  );
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

function goToMark(view: EditorView, { from, to }: CodeMark): void {
  const { length } = view.state.doc;
  const anchor = Math.min(from, length);
  view.focus();
  view.dispatch({
    selection: { anchor, head: Math.min(to, length) },
    effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
  });
}
