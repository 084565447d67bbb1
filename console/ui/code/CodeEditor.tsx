import { Suspense } from 'react';
import { Loading } from '../Loading.tsx';
import { lazyPart } from '../load/loaded.ts';
import type { CodeAreaProps } from './CodeArea.tsx';

const CodeArea = lazyPart(
  () => import('./CodeArea.tsx'),
  ({ CodeArea }) => CodeArea,
);

/** A text of JSON or YAML to read or write; its library is loaded when the first one is shown. */
export function CodeEditor(props: CodeAreaProps) {
  return (
    <Suspense fallback={<Loading height={120} />}>
      <CodeArea {...props} />
    </Suspense>
  );
}
