import { counted } from '../../ui/words/counted.ts';

export const HOME = {
  andMore: (count: string) => `and ${count} more`,
  ofOthers: (count: number, shown: string) =>
    count === 1 ? '1 question waits for others.' : `${shown} questions wait for others.`,
  title: 'Home',
  needsYou: 'Needs you',
  failing: 'Failing',
  running: 'Running',
  day: 'Executions, last 24 hours',
  approvals: (count: string) => `Approvals of tools: ${count}`,
  items: (count: number, queue: string) => `${counted(count, 'item', 'items')} ready in ${queue}`,
  nothing: 'Nobody waits for you.',
  failed: (count: number, span: string) => `${counted(count, 'execution', 'executions')} failed in ${span}`,
  noFailed: (span: string) => `Nothing failed in ${span}.`,
  polls: 'Triggers that fail',
  noneOpen: 'Nothing runs now.',
  held: 'held by a pause or a limit',
  retrying: 'trying a step again',
  next: 'Next',
  slow: (p50: string, p95: string) => `In this hour half took up to ${p50}, 95 of 100 up to ${p95}.`,
  bounded: 'There are more than are counted here.',
};
