/** HS256 needs at least this many characters. */
const MIN_LENGTH = 32;

/** The signing secret is first. Undefined if one of them is too short. */
export function readTokenSecrets(text: string): string[] | undefined {
  const secrets = text.split(',').map((secret) => secret.trim());
  return secrets.every(({ length }) => length >= MIN_LENGTH) ? secrets : undefined;
}
