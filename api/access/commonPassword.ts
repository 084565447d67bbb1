/** The problem text for a common password. */
export const COMMON_PASSWORD = 'expected a password that is not among the most common ones';

let read: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether it is one of the 49,000 passwords that people choose most, in any case of its letters. The list (1.9 MB) is read when it
 * is first asked.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  read ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((each) => each.toLowerCase())),
  );
  return (await read).has(password.normalize('NFKC').toLowerCase());
}
