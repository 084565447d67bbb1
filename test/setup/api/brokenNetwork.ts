import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from '../jest/onTestFinished.ts';

export interface SeenRequest {
  method: string;
  url: string;
  idempotencyKey: string | undefined;
  authorization: string | undefined;
}

export interface BrokenNetwork {
  url: string;
  seen: SeenRequest[];
  cut(): void;
  /** Drops all requests, or those for which `isLost` returns true, until `mend`. */
  breakDown(isLost?: (url: string) => boolean): void;
  mend(): void;
}

/**
 * Starts a proxy to an API that fails on purpose. `losesAnswer`: the API receives the request but its response never
 * arrives. `cutsAfter`, `stopsAfter`: bytes of the body after which the connection breaks or stalls.
 */
export async function brokenNetwork(
  url: string,
  {
    losesAnswer = () => false,
    cutsAfter = () => undefined,
    stopsAfter = () => undefined,
  }: {
    losesAnswer?: (seen: SeenRequest, index: number) => boolean;
    cutsAfter?: (seen: SeenRequest, index: number) => number | undefined;
    stopsAfter?: (seen: SeenRequest, index: number) => number | undefined;
  } = {},
): Promise<BrokenNetwork> {
  const seen: SeenRequest[] = [];
  let isLostNow: (url: string) => boolean = () => false;
  const server = createServer((incoming, outgoing) => {
    if (isLostNow(incoming.url ?? '')) return void incoming.socket.destroy();
    const each = seenOf(incoming);
    const index = seen.push(each) - 1;
    const target = new URL(incoming.url ?? '/', url);
    // Keep the Host, which the console's policy contains.
    const onward = request(target, { method: incoming.method, headers: incoming.headers }, (answer) => {
      if (losesAnswer(each, index)) {
        answer.resume();
        answer.once('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      outgoing.flushHeaders();
      const most = stopsAfter(each, index);
      if (most !== undefined) {
        answer.once('data', (chunk: Buffer) => outgoing.write(chunk.subarray(0, most)));
        return;
      }
      let left = cutsAfter(each, index) ?? Number.POSITIVE_INFINITY;
      answer.on('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) incoming.socket.destroy();
      });
      answer.once('end', () => outgoing.end());
      answer.once('error', () => incoming.socket.destroy());
    });
    onward.once('error', () => incoming.socket.destroy());
    outgoing.once('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(
    () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    cut: () => server.closeAllConnections(),
    breakDown(isLost = () => true) {
      isLostNow = isLost;
      server.closeAllConnections();
    },
    mend() {
      isLostNow = () => false;
    },
  };
}

function seenOf({ method = '', url = '', headers }: IncomingMessage): SeenRequest {
  return { method, url, idempotencyKey: headers['idempotency-key'] as string, authorization: headers.authorization };
}
