import { useRef, useState } from 'react';
import { EDITOR } from '../words.ts';
import { PANEL_WIDTHS, type PanelName, readPanels, withinBounds, writePanels } from './usePanels.ts';

const STEP = 16;

/** The edge of a panel, by which pointer and arrow keys change its width. Without a re-render while it moves. */
export function Splitter({ panel }: { panel: PanelName }) {
  const handle = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(() => readPanels().widths[panel]);
  const { min, max } = PANEL_WIDTHS[panel];
  // The form is at the right of its edge, so it grows to the left.
  const direction = panel === 'palette' ? 1 : -1;
  const widen = (to: number) => {
    const next = withinBounds(panel, to);
    handle.current?.parentElement?.style.setProperty(`--${panel}-width`, `${next}px`);
    return next;
  };
  const keep = (to: number) => {
    const next = widen(to);
    setWidth(next);
    writePanels({ widths: { ...readPanels().widths, [panel]: next } });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot have the focus
    <div
      ref={handle}
      className="editor-splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={EDITOR.panels.width[panel]}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={(event) => {
        const { clientX: start, pointerId } = event;
        const own: HTMLElement = event.currentTarget;
        event.preventDefault();
        own.focus();
        own.setPointerCapture(pointerId);
        const ended = new AbortController();
        const { signal } = ended;
        const at = ({ clientX }: PointerEvent) => width + direction * (clientX - start);
        own.addEventListener('pointermove', (moved) => widen(at(moved)), { signal });
        const end = (last: PointerEvent) => {
          ended.abort();
          keep(at(last));
        };
        own.addEventListener('pointerup', end, { signal });
        own.addEventListener('pointercancel', end, { signal });
      }}
      onDoubleClick={() => keep(PANEL_WIDTHS[panel].preset)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
        const edge = { Home: min, End: max }[event.key];
        if (step === undefined && edge === undefined) return;
        event.preventDefault();
        keep(edge ?? width + direction * (step ?? 0));
      }}
    />
  );
}
