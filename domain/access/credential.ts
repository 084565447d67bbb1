/** The login or the key by which somebody acts. */
export interface Credential {
  type: 'user' | 'apiKey';
  id: string;
}
