import { counted } from '../../../ui/words/counted.ts';

export const TIMELINE = {
  label: 'Steps in time',
  zoom: 'Zoom',
  in: 'Zoom in',
  out: 'Zoom out',
  earlier: 'Earlier',
  later: 'Later',
  whole: 'Whole',
  toStep: 'Zoom to the step',
  drag: 'Drag to zoom in; double click for the whole',
  hint: 'To zoom in, drag over the times.',
  key: { step: 'Timeline: zoom to the step, or back', whole: 'Timeline: the whole time' },
  stretch: (from: string, to: string) => `${from} to ${to}.`,
  leftOut: (earlier: number, later: number) => {
    const sides = [
      earlier === 0 ? '' : `${earlier.toLocaleString('en')} before it`,
      later === 0 ? '' : `${later.toLocaleString('en')} after it`,
    ];
    const said = sides.filter((side) => side !== '').join(', ');
    return said === '' ? 'All steps are in it.' : `Steps left out: ${said}.`;
  },
  waited: (length: string) => `Waited ${length} to start.`,
  nothing: 'Nothing happened then.',
  idle: (length: string) => `${length} in which nothing happened`,
  attempts: (count: number) => counted(count, 'attempt', 'attempts'),
  kept: 'kept',
  legend: {
    attempt: 'at work',
    failed: 'an attempt that failed',
    between: 'until the next attempt',
    waits: 'waits',
    unknown: 'not known in detail',
  },
  part: {
    attempt: (attempt: number, length: string) => `Attempt ${attempt}: ${length}`,
    failed: (attempt: number, length: string, code: string) => `Attempt ${attempt} failed: ${code}, ${length}`,
    between: (attempt: number, length: string) => `Until attempt ${attempt}: ${length}`,
    waits: (length: string) => `Waits: ${length}`,
    waited: (length: string) => `Waited: ${length}`,
    /** The step waits now, and worked before. */
    unknown: (length: string) => `Worked and waited: ${length}`,
    before: (attempt: number, length: string) => `Before attempt ${attempt}: ${length}`,
  },
};
