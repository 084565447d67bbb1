import { Suspense } from 'react';
import { Loading } from '../Loading.tsx';
import { lazyPart } from '../load/lazyPart.ts';
import type { CodeAreaProps } from './CodeArea.tsx';

const CodeArea = lazyPart(() => import('./CodeArea.tsx'), 'CodeArea');

/** The editor's code loads at its first use. */
export function CodeEditor(props: CodeAreaProps) {
  return (
    <Suspense fallback={<Loading height={120} />}>
      <CodeArea {...props} />
    </Suspense>
  );
}
