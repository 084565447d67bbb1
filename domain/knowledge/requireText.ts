import { Problem } from '../problem.ts';

/** Throws VALIDATION_FAILED for a text of nothing but white space: it has no vector. */
export function requireText(path: string, text: string): void {
  if (text.trim() !== '') return;
  const message = 'expected a text with more than white space';
  throw new Problem('VALIDATION_FAILED', `${path}: ${message}`, { errors: [{ path, message }] });
}
