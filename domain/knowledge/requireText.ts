import { Problem } from '../problem.ts';

/** Throws VALIDATION_FAILED for a blank text, which has no vector. */
export function requireText(path: string, text: string): void {
  if (text.trim() !== '') return;
  const message = 'expected a text with more than white space';
  throw new Problem('VALIDATION_FAILED', `${path}: ${message}`, { errors: [{ path, message }] });
}
