import { z } from 'zod';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import type { Executor } from '../executor.ts';
import { performedText, type TextSettings } from './performedText.ts';

/** Texts as they are, null as an empty text, everything else as JSON. */
export function buildTemplate(settings: TextSettings): Executor {
  return withInputs(
    {
      template: z.string().default(''),
      values: jsonObject,
      missing: z.enum(['fail', 'empty', 'keep']).default('fail'),
    },
    (inputs, call) => performedText(settings, call, { kind: 'template', inputs }),
  );
}
