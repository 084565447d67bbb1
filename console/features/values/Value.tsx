import { Anchor, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { sizeText } from '../../ui/time/times.ts';
import { WORDS } from '../../ui/words/words.ts';

const JsonView = lazyPart(() => import('../../ui/data/JsonView.tsx'), 'JsonView');

/** A larger value is offered as a file instead of text. */
const MAX_SHOWN_BYTES = 1_000_000;

interface ValueProps {
  value: unknown;
  /** Names the value. With it, an object or a list is shown as a tree, a table or JSON. */
  label?: string;
  /** Only for a large value: its size, and how to read it. */
  bytes?: number | null | undefined;
  load?: (() => Promise<unknown>) | undefined;
}

export function Value({ value, label, bytes, load }: ValueProps) {
  const whole = useMutation({ mutationFn: async () => (load === undefined ? undefined : await load()) });
  const shown = whole.data ?? value;
  if (load !== undefined && bytes != null && whole.data === undefined) {
    return (
      <>
        {whole.error !== null && <ProblemAlert error={whole.error} isRead />}
        <Button size="xs" variant="default" loading={whole.isPending} onClick={() => whole.mutate()}>
          {WORDS.loadValue(sizeText(bytes))}
        </Button>
      </>
    );
  }
  if (shown === undefined || shown === null) return <Text c="var(--ink-neutral)">{WORDS.none}</Text>;
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2);
  if (text.length > MAX_SHOWN_BYTES) {
    return (
      <Anchor href={URL.createObjectURL(new Blob([text], { type: 'application/json' }))} download="value.json">
        {WORDS.openValue(sizeText(text.length))}
      </Anchor>
    );
  }
  if (label !== undefined && typeof shown === 'object') {
    return (
      <Suspense fallback={<Loading height={60} />}>
        <JsonView label={label} value={shown} />
      </Suspense>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre className="json" tabIndex={0}>
      {text}
    </pre>
  );
}
