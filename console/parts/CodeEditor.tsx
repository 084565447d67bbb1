import { lazy, Suspense } from 'react';
import { loaded } from '../loaded.ts';
import type { CodeAreaProps } from './CodeArea.tsx';
import { Loading } from './Loading.tsx';

const CodeArea = lazy(async () => ({ default: (await loaded(() => import('./CodeArea.tsx'))).CodeArea }));

/** A text of JSON or YAML to read or write; its library is loaded when the first one is shown. */
export function CodeEditor(props: CodeAreaProps) {
  return (
    <Suspense fallback={<Loading height={120} />}>
      <CodeArea {...props} />
    </Suspense>
  );
}
