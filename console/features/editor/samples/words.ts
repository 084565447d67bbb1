import { sizeText } from '../../../ui/time/times.ts';
import { counted } from '../../../ui/words/counted.ts';
import type { Refusal } from '../editing/keptSamples.ts';

export const SAMPLES = {
  title: 'Sample',
  nodeMeans:
    'Later nodes are previewed and tested with this instead of the output of the node. It stays in this browser, only for you, and is not saved in the workflow.',
  triggerMeans:
    'The nodes are previewed and tested with this trigger input. It stays in this browser, only for you, and is not saved in the workflow.',
  field: 'Sample as JSON',
  fieldHelp: 'Saved when you leave the field.',
  notJson: 'This is not JSON. The sample has not changed.',
  example: 'From the example',
  remove: 'Remove the sample',
  use: 'Use as sample',
  used: 'This is now the sample of the node.',
  tooLarge: (size: string, most: string) => `Not saved: it has ${size}, and a sample may have at most ${most}.`,
  tooMany: (size: string, most: string) =>
    `Not saved: all samples in this browser would have ${size}; the limit is ${most}. Remove some.`,
  noRoom: 'Not saved: the storage of this browser is full.',
  before: (count: number) => `${counted(count, 'sample replaces', 'samples replace')} its values`,
  alone: (count: number) => `Values of ${counted(count, 'sample', 'samples')}`,
  removeAll: (count: number) => (count === 1 ? 'Remove it' : 'Remove all'),
};

export function refusalText(refusal: Refusal): string {
  if (refusal.of === 'full') return SAMPLES.noRoom;
  const say = refusal.of === 'one' ? SAMPLES.tooLarge : SAMPLES.tooMany;
  return say(sizeText(refusal.length), sizeText(refusal.most));
}
