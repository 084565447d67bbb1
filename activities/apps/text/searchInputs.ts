import { z } from 'zod';

export const searchInputs = {
  text: z.string().default(''),
  pattern: z.string().min(1).max(1_000),
  ignoreCase: z.boolean().default(false),
  multiline: z.boolean().default(false),
  dotAll: z.boolean().default(false),
};
