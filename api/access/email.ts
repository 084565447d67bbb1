import { Problem } from '../../domain/problem.ts';

/** One person, one spelling: trimmed and in lower case. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** For new people. Throws VALIDATION_FAILED for an invalid address; only a mail could verify it. */
export function readEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new Problem('VALIDATION_FAILED', 'The e-mail address is not valid', {
      errors: [{ path: 'email', message: 'expected an address like person@example.com' }],
    });
  }
  return email;
}
