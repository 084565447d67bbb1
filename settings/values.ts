import { z } from 'zod';
import { LONGEST_TIMER_MS } from '../domain/limits.ts';

// The kinds of values that settings have. The environment holds texts.

export const port = z.coerce.number().int().min(0).max(65535);
export const bytes = z.coerce.number().int().positive();
export const count = z.coerce.number().int().positive();
export const atMost = z.coerce.number().int().min(0).max(100_000_000);
export const ms = z.coerce.number().int().positive().max(LONGEST_TIMER_MS);
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** `15m`, `30d`, `90s`: to milliseconds. */
export const span = z
  .string()
  .regex(/^\d+(s|m|h|d)$/, 'expected a number and s, m, h or d, e.g. 15m')
  .transform((text) => {
    const unit = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[text.slice(-1) as 's' | 'm' | 'h' | 'd'];
    return Number(text.slice(0, -1)) * unit;
  });

/** A JSON text; its value is still to be checked. */
export const json = (expected: string) =>
  z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: `expected ${expected}` });
      return z.NEVER;
    }
  });

/** A JSON list of things that have an id each. */
export const jsonList = <Item extends z.ZodType<{ id: string }>>(item: Item) =>
  json('a JSON list').pipe(
    z.array(item).refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'names an id twice'),
  );
