/** HS256 needs at least this many characters. */
const MIN_LENGTH = 32;

/** Splits TOKEN_SECRET into a list, the signing secret first; undefined if one of them is too short. */
export function readTokenSecrets(text: string): string[] | undefined {
  const secrets = text.split(',').map((secret) => secret.trim());
  return secrets.every(({ length }) => length >= MIN_LENGTH) ? secrets : undefined;
}
