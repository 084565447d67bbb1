import { z } from 'zod';
import { jsonList, withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';

/** Texts as they are, everything else as JSON; null and absent entries are left out. */
export const join = withInputs({ items: jsonList, separator: z.string().default(', ') }, ({ items, separator }) =>
  succeeded(
    items
      .filter((item) => item !== null)
      .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
      .join(separator),
  ),
);
