import { getViewportForBounds, type ReactFlowInstance, useReactFlow, type Viewport } from '@xyflow/react';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { Definition } from '../../../../domain/workflow/definition.ts';
import { isWithin } from './flow.ts';

export interface Shown {
  id: string;
  at: number;
  /** Zoom in until the node is readable, for example after a search. */
  isLegible: boolean;
}

interface Sight {
  place: RefObject<HTMLElement | null>;
  /** The whole graph is shown each time this count changes. */
  replaced: number;
  shown: Shown | undefined;
  chosen: readonly string[];
  edges: Definition['edges'];
}

/** The smallest zoom at which nodes are readable. */
export const LEGIBLE = 0.75;
/** The smallest zoom at which the whole graph is shown rather than a part of it. */
const WHOLE_FROM = 0.6;
/** A panel takes at least this from the graph, in pixels; a longer list of problems takes less. */
const PANEL = 100;
const MOST = 1;
const PADDING = 0.1;
/** At this zoom, a chain of two hundred nodes fits into the window. */
export const MIN_ZOOM = 0.01;
export const WHOLE = { maxZoom: MOST, padding: PADDING };

/** Brings a shown node or a replaced graph into view, and keeps the selected node there when a panel covers it. */
export function useNodeInSight({ place, replaced, shown, chosen, edges }: Sight): void {
  const flow = useReactFlow();
  const newest = useRef({ chosen, edges });
  newest.current = { chosen, edges };
  const elementOf = useCallback(
    (id: string) => place.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`),
    [place],
  );
  const bring = useCallback(
    (id: string, isLegible: boolean) => {
      const frame = place.current;
      const element = elementOf(id);
      if (frame === null) return;
      const least = isLegible ? LEGIBLE : 0;
      if (element != null && isWithin(element, frame) && flow.getZoom() >= least) return;
      const whole = wholeIn(frame, flow, 0);
      if (whole.zoom >= Math.max(least, WHOLE_FROM)) return void flow.setViewport(whole);
      // Show the preceding node as well, for orientation.
      const before = newest.current.edges.find(({ target }) => target === id)?.source;
      const nodes = [id, ...(before === undefined ? [] : [before])].map((one) => ({ id: one }));
      const zoom = Math.max(least, flow.getZoom());
      void flow.fitView({ nodes, maxZoom: Math.min(MOST, zoom), minZoom: zoom });
    },
    [flow, place, elementOf],
  );
  useEffect(() => {
    if (shown === undefined) return;
    // The node exists once this state is rendered.
    const frame = requestAnimationFrame(() => {
      elementOf(shown.id)?.focus({ preventScroll: true });
      bring(shown.id, shown.isLegible);
    });
    return () => cancelAnimationFrame(frame);
  }, [shown, bring, elementOf]);
  const fitted = useRef(replaced);
  const isFitting = useRef(false);
  useEffect(() => {
    if (fitted.current === replaced) return;
    fitted.current = replaced;
    isFitting.current = true;
    // In the next frame, the canvas has the size that it has without the notice of the draft.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        isFitting.current = false;
        if (place.current !== null) void flow.setViewport(wholeIn(place.current, flow, MIN_ZOOM));
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [replaced, flow, place]);
  useEffect(() => {
    const frame = place.current;
    if (frame === null) return;
    let before = { width: frame.clientWidth, height: frame.clientHeight };
    const observer = new ResizeObserver(() => {
      const [right, down] = [frame.clientWidth - before.width, frame.clientHeight - before.height];
      before = { width: frame.clientWidth, height: frame.clientHeight };
      if (isFitting.current || Math.max(Math.abs(right), Math.abs(down)) < PANEL) return;
      // The middle of the graph stays in the middle.
      const { x, y, zoom } = flow.getViewport();
      void flow.setViewport({ x: x + right / 2, y: y + down / 2, zoom });
      const [id, ...others] = newest.current.chosen;
      if (id !== undefined && others.length === 0) requestAnimationFrame(() => bring(id, false));
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [flow, place, bring]);
}

/** `fitView` of React Flow would wait for nodes that it measures, but all have a size. */
function wholeIn(frame: HTMLElement, flow: ReactFlowInstance, minZoom: number): Viewport {
  const { width, height } = frame.getBoundingClientRect();
  return getViewportForBounds(flow.getNodesBounds(flow.getNodes()), width, height, minZoom, MOST, PADDING);
}
