import { z } from 'zod';
import { jsonList, withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';

/** The parts between the separators; an empty separator gives the characters. */
export const split = withInputs(
  {
    text: z.string().default(''),
    separator: z.string().default(','),
    trim: z.boolean().default(true),
    dropEmpty: z.boolean().default(false),
  },
  ({ text, separator, trim, dropEmpty }) => {
    const parts = separator === '' ? [...text] : text.split(separator);
    const trimmed = trim && separator !== '' ? parts.map((part) => part.trim()) : parts;
    return succeeded(dropEmpty ? trimmed.filter((part) => part !== '') : trimmed);
  },
);

/** Texts as they are, everything else as JSON; null and absent entries are left out. */
export const join = withInputs({ items: jsonList, separator: z.string().default(', ') }, ({ items, separator }) =>
  succeeded(
    items
      .filter((item) => item !== null)
      .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
      .join(separator),
  ),
);
