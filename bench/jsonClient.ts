import { Pool } from 'undici';

export interface JsonAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: its readers know what they asked for
  body: any;
}

export interface JsonClient {
  /** Returns responses below 300; throws otherwise. */
  call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<JsonAnswer>;
  close(): Promise<void>;
}

export function jsonClient(url: string, headers: Record<string, string> = {}): JsonClient {
  const pool = new Pool(url, { connections: 10, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  return {
    async call(method, path, body) {
      const answer = await pool.request({
        method,
        path,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
    },
    close: () => pool.close(),
  };
}
