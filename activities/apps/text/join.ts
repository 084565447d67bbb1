import { z } from 'zod';
import { jsonList, withInputs } from '../checkedInputs.ts';
import type { Executor } from '../executor.ts';
import { performedText, type TextSettings } from './performedText.ts';

/** Texts as they are, everything else as JSON. Null and absent entries are left out. */
export function buildJoin(settings: TextSettings): Executor {
  return withInputs({ items: jsonList, separator: z.string().default(', ') }, (inputs, call) =>
    performedText(settings, call, { kind: 'join', inputs }),
  );
}
