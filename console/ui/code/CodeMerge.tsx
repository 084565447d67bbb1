import { unifiedMergeView } from '@codemirror/merge';
import { useMemo } from 'react';
import { CodeEditor } from './CodeEditor.tsx';

interface CodeMergeProps {
  label: string;
  from: string;
  to: string;
}

/** Two texts of YAML as one: what was removed and what was added, equal stretches folded. Loaded when it is shown. */
export function CodeMerge({ label, from, to }: CodeMergeProps) {
  const extensions = useMemo(
    () => [unifiedMergeView({ original: from, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } })],
    [from],
  );
  return <CodeEditor label={label} language="yaml" value={to} extensions={extensions} />;
}
