import { isEmail, normalizeEmail } from '../../domain/access/emailAddress.ts';
import { Problem } from '../../domain/problem.ts';

/** Normalizes the address of a new user. Throws VALIDATION_FAILED. */
export function readEmail(text: string): string {
  const email = normalizeEmail(text);
  if (!isEmail(email)) {
    throw new Problem('VALIDATION_FAILED', 'The e-mail address is not valid', {
      errors: [{ path: 'email', message: 'expected an address like person@example.com' }],
    });
  }
  return email;
}
