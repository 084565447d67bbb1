import { createHash } from 'node:crypto';
import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';
import { algorithm, bytesOf, inputEncoding, outputEncoding } from './digest.ts';

export const hash = withInputs(
  { text: z.string().default(''), algorithm, encoding: outputEncoding, textEncoding: inputEncoding },
  ({ text, algorithm: name, encoding, textEncoding }) => {
    const bytes = bytesOf(text, textEncoding);
    if (bytes === undefined) return failed('INVALID_INPUT', `text: expected ${textEncoding}`);
    return succeeded(createHash(name).update(bytes).digest(encoding));
  },
);
