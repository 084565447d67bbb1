import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useEffect, useState } from 'react';
import { durationText } from '../../../ui/time/times.ts';
import { TIMELINE } from '../words.ts';
import { type Axis, marked, type Span, ticksOf } from './timeAxis.ts';

interface TimelineAxisProps {
  axis: Axis;
  /** The zero of the axis, in epoch milliseconds. */
  origin: number;
  onMark: (stretch: Span) => void;
  onWhole: () => void;
}

/** Dragging selects a stretch; the zoom buttons do the same by keyboard. */
export function TimelineAxis({ axis, origin, onMark, onWhole }: TimelineAxisProps) {
  const { ref, width } = useElementSize();
  const { mark, ...on } = useMark((from, to) => onMark(marked(axis, from, to)));
  return (
    <div className="timeline-row timeline-axis" aria-hidden>
      <span />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone; buttons do the same */}
      <div className="timeline-scale" title={TIMELINE.drag} onDoubleClick={onWhole} {...on}>
        <div ref={ref} className="timeline-ticks">
          {ticksOf(axis, origin, width).map(({ at, text }) => (
            <span key={at} style={{ left: `${at}%` }}>
              {text}
            </span>
          ))}
        </div>
        {axis.breaks.length > 0 && (
          <div className="timeline-breaks">
            {axis.breaks.map(({ at, ms }) => (
              <span key={at} style={{ left: `${at}%` }} title={TIMELINE.idle(durationText(ms))}>
                ⋯ {durationText(ms)}
              </span>
            ))}
          </div>
        )}
        {mark !== undefined && (
          <span className="timeline-mark" style={{ left: `${mark.from}%`, width: `${mark.to - mark.from}%` }} />
        )}
      </div>
      <span />
    </div>
  );
}

/** A shorter movement is a click. */
const MIN_PX = 4;

interface Mark {
  /** In percent of the width. */
  begin: number;
  now: number;
}

/** Selects a part of an element's width with the pointer. Escape cancels the selection. */
function useMark(onMarked: (from: number, to: number) => void) {
  const [mark, setMark] = useState<Mark>();
  const isMarking = mark !== undefined;
  useEffect(() => {
    if (!isMarking) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Escape must only cancel the selection, not also reset the zoom.
      event.stopPropagation();
      setMark(undefined);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isMarking]);
  return {
    mark: mark && { from: Math.min(mark.begin, mark.now), to: Math.max(mark.begin, mark.now) },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || !event.isPrimary) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const at = placeIn(event);
      setMark({ begin: at, now: at });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (mark !== undefined && event.isPrimary) setMark({ ...mark, now: placeIn(event) });
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (mark === undefined || !event.isPrimary) return;
      setMark(undefined);
      const now = placeIn(event);
      const width = event.currentTarget.getBoundingClientRect().width;
      if ((Math.abs(now - mark.begin) / 100) * width >= MIN_PX) {
        onMarked(Math.min(mark.begin, now), Math.max(mark.begin, now));
      }
    },
    onPointerCancel: () => setMark(undefined),
  };
}

function placeIn({ currentTarget, clientX }: PointerEvent<HTMLElement>): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return width === 0 ? 0 : Math.min(100, Math.max(0, (100 * (clientX - left)) / width));
}
