import './stepRows.css';
import { Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { NARROW } from '../../ui/narrow.ts';
import { Status } from '../../ui/Status.tsx';
import { Duration } from '../../ui/time/Moment.tsx';
import type { ExecutionStep } from './queries/executions.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION;
const ROW_PX = 40;
/** The notes of a step are below its name. */
const NARROW_ROW_PX = 60;

interface StepRowsProps {
  steps: ExecutionStep[];
  chosen: string | undefined;
  onChoose: (stepId: string) => void;
  /** Loads more when the last row is visible; undefined if all are loaded. */
  onEnd: (() => void) | undefined;
}

/** Renders only the visible rows, so that 10,000 steps stay fast. */
export function StepRows({ steps, chosen, onChoose, onEnd }: StepRowsProps) {
  const view = useRef<HTMLElement>(null);
  const rowPx = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ? NARROW_ROW_PX : ROW_PX;
  const rows = useVirtualizer({
    count: steps.length,
    getScrollElement: () => view.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  useLayoutEffect(() => rows.measure(), [rows, rowPx]);
  const drawn = rows.getVirtualItems();
  const last = drawn.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= steps.length - 1) onEnd?.();
  }, [last, steps.length, onEnd]);
  if (steps.length === 0) return <Text>{words.noSuchStep}</Text>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section ref={view} className="scrolls" tabIndex={0} aria-label={words.tabs.steps}>
      <ol style={{ height: rows.getTotalSize(), position: 'relative', margin: 0, padding: 0, listStyle: 'none' }}>
        {drawn.map(({ index, start }) => {
          const step = steps[index];
          if (step === undefined) return null;
          return (
            <li
              key={step.id}
              aria-setsize={onEnd === undefined ? steps.length : -1}
              aria-posinset={index + 1}
              className="step-row"
              style={{ height: rowPx, transform: `translateY(${start}px)` }}
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
