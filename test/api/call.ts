import { type ApiAnswer, api, type CallOptions } from '../setup/api/client.ts';
import { inject } from '../setup/stack/inject.ts';

export interface Credentials {
  key?: string;
  token?: string;
}

export function call(
  method: string,
  path: string,
  { key, token, headers, ...options }: Credentials & CallOptions = {},
): Promise<ApiAnswer> {
  const credential: Record<string, string> = key === undefined ? {} : { 'x-api-key': key };
  return api(inject('stack').url, token)(method, path, { ...options, headers: { ...credential, ...headers } });
}
