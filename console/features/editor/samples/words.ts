import { sizeText } from '../../../ui/time/times.ts';
import { counted } from '../../../ui/words/counted.ts';
import type { Refusal } from '../editing/keptSamples.ts';

export const SAMPLES = {
  title: 'Sample',
  nodeMeans:
    'What the nodes behind it are shown and tested with in place of its output. It stays in this browser, for you alone, and is never part of the workflow.',
  triggerMeans:
    'What a start brings: the nodes are shown and tested with it. It stays in this browser, for you alone, and is never part of the workflow.',
  field: 'Sample as JSON',
  fieldHelp: 'It is kept when you leave the field.',
  notJson: 'This is not JSON. The sample is as it was.',
  example: 'From the example',
  remove: 'Remove the sample',
  use: 'Use as sample',
  used: 'It is the sample of this node now.',
  tooLarge: (size: string, most: string) => `It is not kept: it has ${size}, and a sample at most ${most}.`,
  tooMany: (size: string, most: string) =>
    `It is not kept: all samples of this browser would have ${size}, and may have ${most}. Remove some.`,
  noRoom: 'It is not kept: this browser has no more room.',
  before: (count: number) => `${counted(count, 'sample', 'samples')} in place of its values`,
  alone: (count: number) => `Values of ${counted(count, 'sample', 'samples')}`,
  removeAll: (count: number) => (count === 1 ? 'Remove it' : 'Remove all'),
};

export function refusalText(refusal: Refusal): string {
  if (refusal.of === 'full') return SAMPLES.noRoom;
  const say = refusal.of === 'one' ? SAMPLES.tooLarge : SAMPLES.tooMany;
  return say(sizeText(refusal.length), sizeText(refusal.most));
}
