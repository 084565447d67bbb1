import { samplerOf } from '../../../engine/tracing/sampler.ts';
import { Tracing } from '../../../engine/tracing/tracing.ts';

/** For parts that a test puts together itself: everything is in a trace, none of which is recorded. */
export const untraced = (): Tracing => new Tracing(samplerOf('always_off', 0));
