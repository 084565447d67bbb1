import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';

export const parseJson = withInputs({ text: z.string() }, ({ text }) => {
  try {
    return succeeded(JSON.parse(text));
  } catch (error) {
    return failed('INVALID_JSON', `text: ${(error as SyntaxError).message}`);
  }
});
