import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from '@jest/globals';
import { onTestFinished } from '../jest/onTestFinished.ts';

export interface SeenCall {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body if it is not text. */
  bytes: Buffer;
}

export interface Loopback {
  url: string;
  calls: SeenCall[];
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1 that records every call. It ends with the test or with the file. */
export async function loopback(
  answer: (call: SeenCall, response: ServerResponse, index: number) => void = (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  endsWith: 'test' | 'file' = 'test',
): Promise<Loopback> {
  const calls: SeenCall[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    const bytes = Buffer.concat(parts);
    const call = { method, url, headers, body: bytes.toString(), bytes };
    calls.push(call);
    answer(call, response, calls.length - 1);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  (endsWith === 'file' ? afterAll : onTestFinished)(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls, close };
}
