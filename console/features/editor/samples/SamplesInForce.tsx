import { Button, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import type { NodeSamples } from '../editing/useNodeSamples.ts';
import { SAMPLES } from './words.ts';

interface SamplesInForceProps {
  id: string;
  samples: NodeSamples;
  hasExecution: boolean;
}

export function SamplesInForce({ id, samples, hasExecution }: SamplesInForceProps) {
  const place = useRef<HTMLDivElement>(null);
  const count = Object.keys(samples.values).length;
  const removeAll = () => {
    // The button disappears with the samples, so the selected tab takes the focus.
    place.current?.closest('.editor-head')?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();
    samples.removeAll();
  };
  return (
    <Group ref={place} gap="xs" mih={30} role="group" aria-label={SAMPLES.title}>
      <Text size="sm" id={id}>
        {(hasExecution ? SAMPLES.before : SAMPLES.alone)(count)}
      </Text>
      <Button size="compact-sm" variant="default" onClick={removeAll}>
        {SAMPLES.removeAll(count)}
      </Button>
    </Group>
  );
}
