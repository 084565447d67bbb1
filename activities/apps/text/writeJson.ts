import { z } from 'zod';
import { anyJson, withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';

/** On one line, or indented by so many spaces. */
export const writeJson = withInputs(
  { value: anyJson.optional(), indent: z.int().min(0).max(10).default(0) },
  ({ value, indent }) => succeeded(JSON.stringify(value ?? null, null, indent)),
);
