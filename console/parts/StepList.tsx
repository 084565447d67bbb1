import { Checkbox, Group, TextInput, UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import type { ExecutionStep } from '../data/executions.ts';
import { WORDS } from '../words/en.ts';
import { Duration } from './Moment.tsx';
import { Status } from './Status.tsx';

const words = WORDS.execution;
const ROW_PX = 40;

interface StepListProps {
  steps: ExecutionStep[];
  chosen: string | undefined;
  onChoose: (stepId: string) => void;
}

/** All steps in the order of their begin; ten thousand are as quick as ten. */
export function StepList({ steps, chosen, onChoose }: StepListProps) {
  const [phrase, setPhrase] = useState('');
  const [failedOnly, setFailedOnly] = useState(false);
  const view = useRef<HTMLElement>(null);
  const found = steps.filter(
    ({ label, nodeId, status }) =>
      (!failedOnly || status === 'FAILED') && `${label} ${nodeId}`.toLowerCase().includes(phrase.toLowerCase()),
  );
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  return (
    <>
      <Group mb="xs" align="end">
        <TextInput
          size="xs"
          label={words.filterSteps}
          value={phrase}
          onChange={(event) => setPhrase(event.currentTarget.value)}
        />
        <Checkbox
          label={words.failedOnly}
          mb={4}
          checked={failedOnly}
          onChange={(event) => setFailedOnly(event.currentTarget.checked)}
        />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section ref={view} className="scrolls" tabIndex={0} aria-label={words.tabs.steps}>
        <ol style={{ height: rows.getTotalSize(), position: 'relative', margin: 0, padding: 0, listStyle: 'none' }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const step = found[index];
            if (step === undefined) return null;
            return (
              <li
                key={step.id}
                aria-setsize={found.length}
                aria-posinset={index + 1}
                style={{
                  position: 'absolute',
                  top: 0,
                  left: 0,
                  right: 0,
                  height: ROW_PX,
                  transform: `translateY(${start}px)`,
                }}
              >
                <UnstyledButton
                  className="step"
                  aria-pressed={step.id === chosen}
                  onClick={() => onChoose(step.id)}
                  style={{ paddingLeft: `${0.5 + step.iteration.length * 1.25}rem` }}
                >
                  <Status status={step.status} />
                  <span className="step-name">{step.label}</span>
                  <StepNote step={step} />
                </UnstyledButton>
              </li>
            );
          })}
        </ol>
      </section>
    </>
  );
}

function StepNote({ step: { iteration, iterations, startedAt, stoppedAt, attempt } }: { step: ExecutionStep }) {
  const place = iteration.at(-1);
  const notes = [
    place === undefined ? undefined : words.iteration(place.index, place.total),
    iterations === undefined ? undefined : words.loop(iterations.completed, iterations.failed, iterations.total),
    attempt > 1 ? words.attempt(attempt) : undefined,
  ].filter((note) => note !== undefined);
  return (
    <span className="step-note">
      {notes.map((note) => `${note} · `)}
      <Duration from={startedAt} to={stoppedAt} />
    </span>
  );
}
