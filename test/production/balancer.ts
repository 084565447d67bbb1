import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  url: string;
  /** Requests that each API has received, in the order of `apis`. */
  counts(): number[];
  stop(): Promise<void>;
}

/** A proxy in front of several APIs: each request goes to the next one, so another process continues what one began. */
export async function startBalancer(apis: string[]): Promise<Balancer> {
  const counts = apis.map(() => 0);
  let turn = 0;
  const server = createServer((incoming, answer) => {
    const index = turn++ % apis.length;
    counts[index] = (counts[index] ?? 0) + 1;
    const { hostname, port } = new URL(apis[index] as string);
    const { method, url, headers } = incoming;
    const outgoing = request({ hostname, port, method, path: url, headers });
    outgoing.once('response', (received) => {
      answer.writeHead(received.statusCode as number, received.rawHeaders);
      // The first bytes of a stream are its head.
      answer.flushHeaders();
      received.pipe(answer);
      received.once('error', () => answer.destroy());
    });
    outgoing.once('error', () => answer.destroy());
    answer.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  // As in proxies: a client that reuses a connection must not meet its end.
  server.keepAliveTimeout = 75_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => [...counts],
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
