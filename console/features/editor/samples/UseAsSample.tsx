import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../../../domain/json.ts';
import { useEditing } from '../editing/Editing.tsx';
import type { Refusal } from '../editing/keptSamples.ts';
import { refusalText, SAMPLES } from './words.ts';

/** Keeps an output as the sample of its node. */
export function UseAsSample({ nodeId, output }: { nodeId: string; output: Json }) {
  const { samples } = useEditing();
  const [answer, setAnswer] = useState<{ output: Json; refusal: Refusal | undefined }>();
  const said = answer?.output === output ? answer : undefined;
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" onClick={() => setAnswer({ output, refusal: samples.keep(nodeId, output) })}>
        {SAMPLES.use}
      </Button>
      <Text size="sm" role="status" c={said?.refusal === undefined ? undefined : 'var(--ink-bad)'}>
        {said === undefined ? '' : said.refusal === undefined ? SAMPLES.used : refusalText(said.refusal)}
      </Text>
    </Group>
  );
}
