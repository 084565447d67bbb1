import { Checkbox, Group, NativeSelect, Text, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { apart, useCatalogueNames } from '../catalogue/catalogueNames.ts';
import type { ExecutionStep, ExecutionWhole } from './queries/executions.ts';
import { stepPages } from './queries/steps.ts';
import { EXECUTION } from './words.ts';
import './stepRows.css';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { NARROW } from '../../ui/narrow.ts';
import { Status } from '../../ui/Status.tsx';
import { Duration } from '../../ui/time/Moment.tsx';

const words = EXECUTION;

interface StepListProps {
  execution: ExecutionWhole;
  steps: ExecutionStep[];
  chosen: string | undefined;
  onChoose: (stepId: string) => void;
}

/** The API filters if the page does not have all steps. */
export function StepList({ execution, steps, chosen, onChoose }: StepListProps) {
  const { nodeName } = useCatalogueNames();
  const [nodeId, setNodeId] = useState('');
  const [failedOnly, setFailedOnly] = useState(false);
  const isComplete = execution.stepsLeftOut === undefined;
  const filters = [nodeId === '' ? '' : `nodeId:${nodeId}`, failedOnly ? 'status:FAILED' : ''];
  const pages = useInfiniteQuery({
    ...stepPages(execution.id, filters.filter((each) => each !== '').join(',')),
    enabled: !isComplete,
  });
  const found = isComplete
    ? steps.filter((step) => (nodeId === '' || step.nodeId === nodeId) && (!failedOnly || step.status === 'FAILED'))
    : (pages.data?.pages.flatMap(({ rows }) => rows) ?? []);
  return (
    <>
      <Group mb="xs" align="end">
        <NativeSelect
          size="xs"
          label={words.step}
          value={nodeId}
          onChange={(event) => setNodeId(event.currentTarget.value)}
          data={[
            { value: '', label: words.allSteps },
            ...[...apart(execution.nodes ?? [], nodeName)].map(([value, label]) => ({ value, label })),
          ]}
        />
        <Checkbox
          label={words.failedOnly}
          mb={4}
          checked={failedOnly}
          onChange={(event) => setFailedOnly(event.currentTarget.checked)}
        />
      </Group>
      {pages.error !== null && <ProblemAlert error={pages.error} onRetry={() => void pages.refetch()} />}
      {!isComplete && pages.isPending ? (
        <Loading />
      ) : (
        <StepRows
          steps={found}
          chosen={chosen}
          onChoose={onChoose}
          onEnd={pages.hasNextPage && !pages.isFetching ? () => void pages.fetchNextPage() : undefined}
        />
      )}
    </>
  );
}

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
function StepRows({ steps, chosen, onChoose, onEnd }: StepRowsProps) {
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
