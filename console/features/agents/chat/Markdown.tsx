import { memo, Suspense } from 'react';
import { lazyPart } from '../../../ui/load/loaded.ts';

const MarkdownText = lazyPart(
  () => import('./MarkdownText.tsx'),
  ({ MarkdownText }) => MarkdownText,
);

/** A text of an agent as markdown; its library is loaded when the first one is shown, and until then it is read as it is. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<div className="plain">{text}</div>}>
      <MarkdownText text={text} />
    </Suspense>
  );
});
