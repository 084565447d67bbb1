import './timeline.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { ExecutionStep } from '../../data/executions.ts';
import { useNow } from '../../live/clock.ts';
import { EXECUTION } from '../../words/en/execution.ts';
import { WORDS } from '../../words/en.ts';
import { toneOf } from '../Status.tsx';
import { durationText } from '../times.ts';
import { type Axis, axisOf, BREAK_PERCENT, placeOf } from './timeAxis.ts';

const words = EXECUTION;
const ROW_PX = 30;

interface TimelineProps {
  steps: ExecutionStep[];
  chosen: string | undefined;
  onChoose: (stepId: string) => void;
}

/** Steps as bars in time. Where nothing happened for long, the axis has a break with its length. */
export function Timeline({ steps, chosen, onChoose }: TimelineProps) {
  const now = useNow();
  const view = useRef<HTMLElement>(null);
  const begun = steps.filter(({ startedAt }) => startedAt !== null);
  const spans = begun.map(({ startedAt, stoppedAt }) => ({
    from: Date.parse(startedAt ?? ''),
    to: stoppedAt === null ? now : Date.parse(stoppedAt),
  }));
  const axis = axisOf(spans);
  const rows = useVirtualizer({
    count: begun.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section ref={view} className="timeline scrolls" aria-label={words.timelineLabel} tabIndex={0}>
      <Breaks axis={axis} />
      <ol style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const step = begun[index];
          const span = spans[index];
          if (step === undefined || span === undefined) return null;
          const left = placeOf(axis, span.from);
          const width = Math.max(placeOf(axis, span.to) - left, 0.2);
          return (
            <li key={step.id} style={{ transform: `translateY(${start}px)`, height: ROW_PX }}>
              <button
                type="button"
                className="timeline-row"
                aria-pressed={step.id === chosen}
                onClick={() => onChoose(step.id)}
              >
                <span className="timeline-name" style={{ paddingLeft: `${step.iteration.length}rem` }}>
                  {step.label}
                  {step.iteration.length > 0 && (
                    <span className="timeline-item">{step.iteration.map(({ index }) => index + 1).join('.')}</span>
                  )}
                </span>
                <span className="timeline-track">
                  {axis.breaks.map(({ at }) => (
                    <span key={at} className="timeline-gap" style={{ left: `${at}%`, width: `${BREAK_PERCENT}%` }} />
                  ))}
                  <span
                    className="timeline-bar"
                    data-tone={toneOf(step.status)}
                    style={{ left: `${left}%`, width: `${width}%` }}
                  />
                </span>
                <span className="timeline-time">
                  {WORDS.status[step.status]}, {durationText(span.to - span.from)}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Where the axis leaves time out, and how much; each bar has a gap there. */
function Breaks({ axis }: { axis: Axis }) {
  if (axis.breaks.length === 0) return null;
  return (
    <div className="timeline-row" aria-hidden>
      <span />
      <span className="timeline-breaks">
        {axis.breaks.map(({ at, ms }) => (
          <span key={at} style={{ left: `${at}%` }} title={words.idle(durationText(ms))}>
            ⋯ {durationText(ms)}
          </span>
        ))}
      </span>
      <span />
    </div>
  );
}
