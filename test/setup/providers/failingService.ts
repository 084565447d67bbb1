import type { ServerResponse } from 'node:http';
import { type Loopback, loopback, type SeenCall } from './loopback.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

export interface FailingService extends Loopback {
  fails: Set<string>;
  hangs: (what: string) => boolean;
  sends: (what: string) => string;
  count(what: string): number;
  /** Idempotency keys without duplicates. */
  keysOf(what: string): string[];
}

/** Starts another service, which is called by `/<what>` and returns `what`. */
export async function failingService(): Promise<FailingService> {
  const fails = new Set<string>();
  const server = await loopback((call: SeenCall, response: ServerResponse) => {
    const what = call.url.slice(1);
    if (made.hangs(what)) return;
    response.writeHead(fails.has(what) ? 503 : 200, JSON_TYPE).end(JSON.stringify(made.sends(what)));
  });
  const of = (what: string) => server.calls.filter(({ url }) => url === `/${what}`);
  const made: FailingService = Object.assign(server, {
    fails,
    hangs: () => false,
    sends: (what: string) => what,
    count: (what: string) => of(what).length,
    keysOf: (what: string) => [...new Set(of(what).map(({ headers }) => String(headers['idempotency-key'])))],
  });
  return made;
}
