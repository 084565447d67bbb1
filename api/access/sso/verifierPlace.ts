/** Into what the PKCE verifier of a login is sealed: its own row alone. */
export function verifierPlace(stateHash: Uint8Array): string {
  return `single sign-on ${Buffer.from(stateHash).toString('hex')}`;
}
