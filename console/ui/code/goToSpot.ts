import { EditorView } from '@codemirror/view';

/** Moves the focus into the editor that contains this element, to a line and column, which count from 1. */
export function goToSpot(element: HTMLElement, { line, column }: { line: number; column: number }): void {
  const view = EditorView.findFromDOM(element);
  if (view === null) return;
  const { from, to } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
  const anchor = Math.min(from + Math.max(column - 1, 0), to);
  view.focus();
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
}
