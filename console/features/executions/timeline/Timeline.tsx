import './timeline.css';
import { Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { usePageKeys } from '../../../ui/keys/pageKeys.ts';
import { NARROW } from '../../../ui/narrow.ts';
import { useNow } from '../../../ui/time/clock.ts';
import { durationText } from '../../../ui/time/times.ts';
import type { ExecutionStep, ExecutionWhole } from '../queries/executions.ts';
import { TIMELINE } from '../words.ts';
import { type PartKind, partsOf } from './stepParts.ts';
import { TimelineAxis } from './TimelineAxis.tsx';
import { TimelineRow } from './TimelineRow.tsx';
import {
  type Axis,
  around,
  axisOf,
  endsOf,
  endTexts,
  isBeside,
  isSame,
  moved,
  type Span,
  type Stretch,
  zoomed,
} from './timeAxis.ts';

const words = TIMELINE;
const ROW_PX = 30;
const NARROW_ROW_PX = 44;

interface TimelineProps {
  /** The start of the execution, which may be earlier than its first step. */
  begun: string | null | undefined;
  steps: ExecutionStep[];
  nodes: ExecutionWhole['nodes'];
  chosen: string | undefined;
  onChoose: (stepId: string) => void;
}

/** A shorter wait for the first step is not shown. */
const SHOWN_WAIT_MS = 1_000;

interface Timed {
  step: ExecutionStep;
  span: Span;
}

/** Steps as bars in time, with zoom. The axis replaces long idle times by a break that shows their length. */
export function Timeline({ begun: started, steps, nodes, chosen, onChoose }: TimelineProps) {
  const clock = useNow();
  const view = useRef<HTMLElement>(null);
  const rowPx = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ? NARROW_ROW_PX : ROW_PX;
  const [stretch, setStretch] = useState<Stretch>();
  // An execution that has ended does not change with the clock, so it is computed once.
  const now = steps.some(({ startedAt, stoppedAt }) => startedAt !== null && stoppedAt === null) ? clock : 0;
  const begun = useMemo(() => begunOf(steps), [steps]);
  const all = useMemo(() => begun.map((each) => timed(each, now)), [begun, now]);
  const first = useMemo(() => originOf(all), [all]);
  const origin = started == null ? first : Math.min(first, Date.parse(started));
  const whole = useMemo(() => {
    const spans = all.map(({ span }) => span);
    return axisOf(origin < first ? [...spans, { from: origin, to: origin }] : spans);
  }, [all, origin, first]);
  const types = useMemo(() => new Map(nodes?.map(({ id, type }) => [id, type])), [nodes]);
  const kinds = useMemo(
    () => new Set(steps.flatMap((step) => partsOf(step, types.get(step.nodeId), Date.now()).map(({ kind }) => kind))),
    [steps, types],
  );
  const { rows: inside, earlier, later, axis } = useMemo(() => seen(all, whole, stretch), [all, whole, stretch]);
  const rows = useVirtualizer({
    count: inside.length,
    getScrollElement: () => view.current,
    estimateSize: () => rowPx,
    overscan: 20,
  });
  useLayoutEffect(() => rows.measure(), [rows, rowPx]);
  if (all.length === 0) return null;
  const shown = stretch ?? endsOf(whole);
  return (
    <>
      {first - origin >= SHOWN_WAIT_MS && <Text size="sm">{words.waited(durationText(first - origin))}</Text>}
      {/* No zoom buttons if the execution is too short to zoom. */}
      {!isSame(zoomed(whole, stretch, 'in'), zoomed(whole, stretch, 'out')) && (
        <>
          <TimelineTools
            whole={whole}
            stretch={stretch}
            chosen={all.find(({ step }) => step.id === chosen)?.span}
            onStretch={setStretch}
          />
          <Text size="sm" mb="xs">
            <span role="status">{stretch && words.stretch(...endTexts(axis, origin))}</span>{' '}
            {stretch === undefined ? words.hint : words.leftOut(earlier, later)}
          </Text>
        </>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section ref={view} className="timeline scrolls" aria-label={words.label} tabIndex={0}>
        <TimelineAxis axis={axis} origin={origin} onMark={setStretch} onWhole={() => setStretch(undefined)} />
        {inside.length === 0 && <Text size="sm">{words.nothing}</Text>}
        <ol style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const row = inside[index];
            if (row === undefined) return null;
            const { step, span } = row;
            return (
              <li key={step.id} style={{ transform: `translateY(${start}px)`, height: rowPx }}>
                <TimelineRow
                  {...{ step, span, axis, shown }}
                  parts={partsOf(step, types.get(step.nodeId), now)}
                  isChosen={step.id === chosen}
                  onChoose={() => onChoose(step.id)}
                  onZoom={() => setStretch(around(whole, span))}
                />
              </li>
            );
          })}
        </ol>
      </section>
      <TimelineLegend kinds={kinds} />
    </>
  );
}

/** Parses the times once, and not each second: there may be 10,000 steps. */
function begunOf(steps: ExecutionStep[]) {
  return steps.flatMap((step) => {
    const { startedAt, stoppedAt } = step;
    if (startedAt === null) return [];
    return [{ step, from: Date.parse(startedAt), to: stoppedAt === null ? undefined : Date.parse(stoppedAt) }];
  });
}

function timed({ step, from, to }: ReturnType<typeof begunOf>[number], now: number): Timed {
  // The clocks of browser and server differ: a step must not end before its start.
  return { step, span: { from, to: to ?? Math.max(from, now) } };
}

/** The start of the execution's own steps; reused steps ran earlier. */
function originOf(all: Timed[]): number {
  const own = all.filter(({ step }) => step.reused !== true);
  return (own.length === 0 ? all : own).reduce(
    (least, { span }) => Math.min(least, span.from),
    Number.POSITIVE_INFINITY,
  );
}

function seen(all: Timed[], whole: Axis, stretch: Stretch) {
  if (stretch === undefined) return { rows: all, earlier: 0, later: 0, axis: whole };
  const rows = all.filter(({ span }) => isBeside(span, stretch) === undefined);
  const earlier = all.filter(({ span }) => isBeside(span, stretch) === 'earlier').length;
  const spans = rows.map(({ span }) => span);
  return { rows, earlier, later: all.length - rows.length - earlier, axis: axisOf(spans, stretch) };
}

const KINDS = ['attempt', 'failed', 'between', 'waits', 'unknown'] as const;

function TimelineLegend({ kinds }: { kinds: ReadonlySet<PartKind> }) {
  if ([...kinds].every((kind) => kind === 'attempt')) return null;
  return (
    <Group component="ul" gap="md" mt="xs" mb={0} p={0} className="timeline-legend">
      {KINDS.filter((kind) => kinds.has(kind)).map((kind) => (
        <li key={kind}>
          <span
            className="timeline-part timeline-sample"
            data-kind={kind}
            data-tone={kind === 'failed' ? 'bad' : 'neutral'}
            aria-hidden
          />
          {TIMELINE.legend[kind]}
        </li>
      ))}
    </Group>
  );
}

interface TimelineToolsProps {
  whole: Axis;
  stretch: Stretch;
  chosen: Span | undefined;
  onStretch: (stretch: Stretch) => void;
}

function TimelineTools({ whole, stretch, chosen, onStretch }: TimelineToolsProps) {
  const step = chosen === undefined ? stretch : around(whole, chosen);
  usePageKeys([
    { key: 'z', does: words.key.step, act: () => onStretch(isSame(step, stretch) ? undefined : step) },
    {
      key: 'Escape',
      does: words.key.whole,
      act: stretch === undefined ? undefined : () => onStretch(undefined),
    },
  ]);
  const button = (label: string, to: Stretch) => {
    const isEnd = isSame(to, stretch);
    return (
      // Only aria-disabled at the end of the range, so that the button keeps the focus.
      <Button
        size="compact-sm"
        variant="default"
        aria-disabled={isEnd}
        style={isEnd ? { opacity: 0.4 } : undefined}
        onClick={isEnd ? undefined : () => onStretch(to)}
      >
        {label}
      </Button>
    );
  };
  return (
    <Group gap="xs" mb="xs" role="group" aria-label={words.zoom}>
      {button(words.toStep, step)}
      {button(words.in, zoomed(whole, stretch, 'in'))}
      {button(words.out, zoomed(whole, stretch, 'out'))}
      {button(words.earlier, moved(whole, stretch, 'earlier'))}
      {button(words.later, moved(whole, stretch, 'later'))}
      {button(words.whole, undefined)}
    </Group>
  );
}
