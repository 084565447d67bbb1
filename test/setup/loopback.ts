import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from './onTestFinished.ts';

export interface SeenCall {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Loopback {
  url: string;
  calls: SeenCall[];
  close(): Promise<void>;
}

/** A server on 127.0.0.1 that actions call; it remembers every call, and ends with the test. */
export async function loopback(
  answer: (call: SeenCall, response: ServerResponse, index: number) => void = (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
): Promise<Loopback> {
  const calls: SeenCall[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    const call = { method, url, headers, body: Buffer.concat(parts).toString() };
    calls.push(call);
    answer(call, response, calls.length - 1);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls, close };
}
