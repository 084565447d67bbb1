/** A shorter secret is no match for HS256. */
const MIN_LENGTH = 32;

/** TOKEN_SECRET as a list, the signing secret first; undefined if one of them is too short. */
export function readTokenSecrets(text: string): string[] | undefined {
  const secrets = text.split(',').map((secret) => secret.trim());
  return secrets.every(({ length }) => length >= MIN_LENGTH) ? secrets : undefined;
}
