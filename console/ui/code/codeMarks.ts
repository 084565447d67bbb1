import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** An error in a text; `from` and `to` are character offsets. */
export interface CodeMark {
  from: number;
  to: number;
  /** The path of the error, which links to the mark. */
  path: string;
  message: string;
}

export const markGutter = (): Extension => lintGutter();

/** Replaces all marks. Marks beyond the end of the text are moved to the end. */
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

export function goToMark(view: EditorView, { from, to }: CodeMark): void {
  const { length } = view.state.doc;
  const anchor = Math.min(from, length);
  view.focus();
  view.dispatch({
    selection: { anchor, head: Math.min(to, length) },
    effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
  });
}
