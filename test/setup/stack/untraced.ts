import { samplerOf } from '../../../engine/tracing/sampler.ts';
import { Tracing } from '../../../engine/tracing/tracing.ts';

/** For parts that a test assembles itself: they are in traces that are not recorded. */
export const untraced = (): Tracing => new Tracing(samplerOf('always_off', 0));
