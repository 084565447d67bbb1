import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';
import { algorithm, bytesOf, inputEncoding, outputEncoding } from './digest.ts';

export const hmac = withInputs(
  {
    text: z.string().default(''),
    secret: z.string().min(1),
    secretEncoding: inputEncoding,
    algorithm,
    encoding: outputEncoding,
  },
  ({ text, secret, secretEncoding, algorithm: name, encoding }) => {
    const key = bytesOf(secret, secretEncoding);
    if (key === undefined) return failed('INVALID_INPUT', `secret: expected ${secretEncoding}`);
    return succeeded(createHmac(name, key).update(text, 'utf8').digest(encoding));
  },
);
