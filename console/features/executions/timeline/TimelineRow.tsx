import type { Tone } from '../../../ui/Chip.tsx';
import { toneOf } from '../../../ui/Status.tsx';
import { durationText } from '../../../ui/time/times.ts';
import { WORDS } from '../../../ui/words/words.ts';
import type { ExecutionStep } from '../queries/executions.ts';
import { TIMELINE } from '../words.ts';
import type { PartKind, StepPart } from './stepParts.ts';
import { type Axis, BREAK_PERCENT, partWithin, placeOf, type Span } from './timeAxis.ts';

const words = TIMELINE.part;

interface TimelineRowProps {
  step: ExecutionStep;
  parts: StepPart[];
  span: Span;
  axis: Axis;
  shown: Span;
  isChosen: boolean;
  onChoose: () => void;
  onZoom: () => void;
}

export function TimelineRow({ step, parts, span, axis, shown, isChosen, onChoose, onZoom }: TimelineRowProps) {
  const notes = [
    ...(step.attempt > 1 ? [TIMELINE.attempts(step.attempt)] : []),
    ...(step.reused === true ? [TIMELINE.kept] : []),
  ];
  return (
    <button type="button" className="timeline-row" aria-pressed={isChosen} onClick={onChoose} onDoubleClick={onZoom}>
      <span className="timeline-name" style={{ paddingLeft: `${step.iteration.length}rem` }}>
        {step.label}
        {step.iteration.length > 0 && (
          <span className="timeline-item">{step.iteration.map(({ index }) => index + 1).join('.')}</span>
        )}
      </span>
      <span className="timeline-track" aria-hidden>
        {axis.breaks.map(({ at }) => (
          <span key={at} className="timeline-gap" style={{ left: `${at}%`, width: `${BREAK_PERCENT}%` }} />
        ))}
        {parts.map((part) => (
          <Bar key={part.from + part.kind} part={part} step={step} axis={axis} shown={shown} />
        ))}
      </span>
      <span className="timeline-time">
        {WORDS.status[step.status]}, <span>{durationText(span.to - span.from)}</span>
        {notes.length > 0 && <span className="timeline-notes">{notes.join(', ')}</span>}
      </span>
    </button>
  );
}

/** Parts whose tone differs from the step's own result. */
const TONES: Partial<Record<PartKind, Tone>> = { failed: 'bad', between: 'neutral', unknown: 'neutral' };

interface BarProps {
  part: StepPart;
  step: ExecutionStep;
  axis: Axis;
  shown: Span;
}

function Bar({ part, step, axis, shown }: BarProps) {
  const seen = partWithin(part, shown);
  if (seen === undefined) return null;
  const left = placeOf(axis, seen.from);
  return (
    <span
      className="timeline-part timeline-bar"
      data-kind={part.kind}
      data-tone={TONES[part.kind] ?? toneOf(step.status)}
      title={saysOf(part, step)}
      style={{ left: `${left}%`, width: `${placeOf(axis, seen.to) - left}%` }}
    />
  );
}

function saysOf({ kind, from, to, attempt, error }: StepPart, { stoppedAt, attempts }: ExecutionStep): string {
  const length = durationText(to - from);
  switch (kind) {
    case 'failed':
      return words.failed(attempt, length, error ?? '');
    case 'waits':
      return stoppedAt === null ? words.waits(length) : words.waited(length);
    case 'unknown':
      return attempts.some((one) => Date.parse(one.startedAt ?? '') === to)
        ? words.before(attempt, length)
        : words.unknown(length);
    default:
      return words[kind](attempt, length);
  }
}
