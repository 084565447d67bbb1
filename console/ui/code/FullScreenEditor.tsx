import { EditorView } from '@codemirror/view';
import { useMemo, useRef } from 'react';
import { CodeArea, type CodeAreaProps, type SelectedRange } from './CodeArea.tsx';

/** The dialog gives this element the focus. */
const FIRST = EditorView.contentAttributes.of({ 'data-autofocus': 'true' });

/** The code editor of a full-screen dialog. It starts with the focus, at the end of the text. */
export function FullScreenEditor({ extensions, ...props }: Omit<CodeAreaProps, 'minHeight' | 'takesFocus'>) {
  const end = useRef<SelectedRange | undefined>({ from: props.value.length, to: props.value.length });
  const all = useMemo(() => [...(extensions ?? []), FIRST], [extensions]);
  return <CodeArea {...props} extensions={all} minHeight="calc(100vh - 14rem)" takesFocus={end} />;
}
