import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';

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
