import { z } from 'zod';
import { anyJson, withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';

export const parseJson = withInputs({ text: z.string() }, ({ text }) => {
  try {
    return succeeded(JSON.parse(text));
  } catch (error) {
    return failed('INVALID_JSON', `text: ${(error as SyntaxError).message}`);
  }
});

export const writeJson = withInputs(
  { value: anyJson.optional(), indent: z.int().min(0).max(10).default(0) },
  ({ value, indent }) => succeeded(JSON.stringify(value ?? null, null, indent)),
);
