import { unifiedMergeView } from '@codemirror/merge';
import { useMemo } from 'react';
import { CodeEditor } from './CodeEditor.tsx';

interface CodeMergeProps {
  label: string;
  from: string;
  to: string;
}

export function CodeMerge({ label, from, to }: CodeMergeProps) {
  const extensions = useMemo(
    () => [unifiedMergeView({ original: from, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } })],
    [from],
  );
  return <CodeEditor label={label} language="yaml" value={to} extensions={extensions} />;
}
