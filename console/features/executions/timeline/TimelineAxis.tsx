import { useElementSize } from '@mantine/hooks';
import { durationText } from '../../../ui/time/times.ts';
import type { Axis, Span } from './timeAxis.ts';
import { ticksOf } from './timeTicks.ts';
import { marked } from './timeZoom.ts';
import { useMark } from './useMark.ts';
import { TIMELINE } from './words.ts';

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
