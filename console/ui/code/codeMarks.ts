import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** What is wrong at a place of a text, in characters from its begin. */
export interface CodeMark {
  from: number;
  to: number;
  /** Of the problem: by it one is led to. */
  path: string;
  message: string;
}

/** Signs beside the lines that have marks. */
export const markGutter = (): Extension => lintGutter();

/** Shows these and no others. A mark that the text is too short for stands at its end. */
export function showMarks(view: EditorView, marks: readonly CodeMark[]): void {
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

/** The place is chosen and in sight, and the keyboard is there. */
export function goToMark(view: EditorView, { from, to }: CodeMark): void {
  const { length } = view.state.doc;
  const anchor = Math.min(from, length);
  view.focus();
  view.dispatch({
    selection: { anchor, head: Math.min(to, length) },
    effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
  });
}
