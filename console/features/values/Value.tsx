import { Anchor, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../app/session/session.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { sizeText } from '../../ui/time/times.ts';
import { COMMON } from '../../ui/words/common.ts';
import { WORDS } from '../../ui/words/words.ts';

/** Above it a value is a file for another program, not a text for a page. */
const MAX_SHOWN_BYTES = 1_000_000;

interface ValueProps {
  value: unknown;
  /** Where the whole of a large value is. */
  bytes?: number | null | undefined;
  load?: (() => Promise<unknown>) | undefined;
}

/** A JSON value; a large one is loaded when it is asked for. */
export function Value({ value, bytes, load }: ValueProps) {
  const whole = useMutation({ mutationFn: async () => (load === undefined ? undefined : await load()) });
  const shown = whole.data ?? value;
  if (load !== undefined && bytes != null && whole.data === undefined) {
    return (
      <>
        {whole.error !== null && <ProblemAlert error={whole.error} isRead />}
        <Button size="xs" variant="default" loading={whole.isPending} onClick={() => whole.mutate()}>
          {COMMON.loadValue(sizeText(bytes))}
        </Button>
      </>
    );
  }
  if (shown === undefined || shown === null) return <Text c="var(--ink-neutral)">{WORDS.none}</Text>;
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2);
  if (text.length > MAX_SHOWN_BYTES) {
    return (
      <Anchor href={URL.createObjectURL(new Blob([text], { type: 'application/json' }))} download="value.json">
        {COMMON.openValue(sizeText(text.length))}
      </Anchor>
    );
  }
  // A region that scrolls must be reachable by keyboard.
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre className="json" tabIndex={0}>
      {text}
    </pre>
  );
}

/** The whole of what stands behind a link of the API. */
export async function loadStepValue(executionId: string, stepId: string, part: 'input' | 'output'): Promise<unknown> {
  const path = { executionId, stepId };
  return part === 'input'
    ? await client.getExecutionStepInput({ path })
    : await client.getExecutionStepOutput({ path });
}
