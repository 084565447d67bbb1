import { sizeText } from '../../parts/times.ts';
import { SAMPLES } from '../../words/en/samples.ts';
import type { Refusal } from './keptSamples.ts';

/** Why a sample is not kept, in words. */
export function refusalText(refusal: Refusal): string {
  if (refusal.of === 'full') return SAMPLES.noRoom;
  const say = refusal.of === 'one' ? SAMPLES.tooLarge : SAMPLES.tooMany;
  return say(sizeText(refusal.length), sizeText(refusal.most));
}
