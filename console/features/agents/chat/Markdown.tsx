import { memo, Suspense } from 'react';
import { lazyPart } from '../../../ui/load/loaded.ts';

const MarkdownText = lazyPart(
  () => import('./MarkdownText.tsx'),
  ({ MarkdownText }) => MarkdownText,
);

/** Renders an agent's text as markdown. Shows the raw text until the library has loaded. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<div className="plain">{text}</div>}>
      <MarkdownText text={text} />
    </Suspense>
  );
});
