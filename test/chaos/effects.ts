import { type Loopback, loopback } from '../setup/providers/loopback.ts';

export interface Effects {
  url: string;
  /** Idempotency keys by path, `/<execution>/<node>`. */
  keys: ReadonlyMap<string, ReadonlySet<string>>;
  /** Keys whose work was done. A server that honours keys does it once. */
  done: ReadonlySet<string>;
  calls(): number;
  /** Paths of all calls, in order. */
  seen(): string[];
}

/** Answers `{done: <node>}` after a moment, but 503 to the first call of a path with `?first=503`. */
export async function countEffects(): Promise<Effects> {
  const keys = new Map<string, Set<string>>();
  const done = new Set<string>();
  const server: Loopback = await loopback(({ url, headers }, response, index) => {
    const { pathname, searchParams } = new URL(url, 'http://effects');
    const key = String(headers['idempotency-key']);
    const isFirst = !keys.has(pathname);
    keys.set(pathname, (keys.get(pathname) ?? new Set()).add(key));
    const refuses = isFirst && searchParams.get('first') === '503';
    if (!refuses) done.add(key);
    setTimeout(
      () => {
        response
          .writeHead(refuses ? 503 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ done: pathname.split('/').at(-1) }));
      },
      (index % 8) * 100,
    );
  });
  const seen = () => server.calls.map(({ url }) => new URL(url, 'http://effects').pathname);
  return { url: server.url, keys, done, calls: () => server.calls.length, seen };
}
