import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';
import { base64Bytes } from './digest.ts';

export const base64 = withInputs(
  {
    text: z.string().default(''),
    direction: z.enum(['encode', 'decode']).default('encode'),
    urlSafe: z.boolean().default(false),
  },
  ({ text, direction, urlSafe }) => {
    if (direction === 'encode') return succeeded(Buffer.from(text, 'utf8').toString(urlSafe ? 'base64url' : 'base64'));
    const bytes = base64Bytes(text);
    if (bytes === undefined) return failed('INVALID_INPUT', 'text: expected Base64');
    if (!isUtf8(bytes)) return failed('INVALID_INPUT', 'text: expected Base64 of UTF-8 text, found other bytes');
    return succeeded(bytes.toString('utf8'));
  },
);
