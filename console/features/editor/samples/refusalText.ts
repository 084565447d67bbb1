import { sizeText } from '../../../ui/time/times.ts';
import type { Refusal } from '../editing/keptSamples.ts';
import { SAMPLES } from '../words/samples.ts';

export function refusalText(refusal: Refusal): string {
  if (refusal.of === 'full') return SAMPLES.noRoom;
  const say = refusal.of === 'one' ? SAMPLES.tooLarge : SAMPLES.tooMany;
  return say(sizeText(refusal.length), sizeText(refusal.most));
}
