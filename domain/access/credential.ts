export interface Credential {
  type: 'user' | 'apiKey';
  id: string;
}
