import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { JsonObject } from '../../../domain/json.ts';
import type { ActionCall, ActionResult } from '../executor.ts';
import { runExecutor } from '../runExecutor.ts';
import { buildRequest } from './request.ts';

export const MAX_BYTES = 100_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const json = { 'content-type': 'application/json' };
const redirect =
  (status: number, location: (request: IncomingMessage) => string): Handler =>
  (request, response) =>
    response.writeHead(status, { location: location(request) }).end('moved');

const portOf = (request: IncomingMessage): number => request.socket.localPort ?? 0;

/** Resolves all names under .test to this server; others do not exist. */
const lookup: LookupFunction = (hostname, _options, callback) => {
  if (hostname.endsWith('.test')) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
};

const routes: Record<string, Handler> = {
  '/person': (_, response) => response.writeHead(200, json).end('{"id":17,"name":"Ada"}'),
  '/json': (_, response) => response.writeHead(200, json).end('{"a":[1]}'),
  '/echo': (_, response) => response.writeHead(201, json).end('{}'),
  '/broken': (_, response) => response.writeHead(200, json).end('{"a": s3cret'),
  '/text': (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('grüezi'),
  '/latin1': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' }).end(Buffer.from('grüezi', 'latin1')),
  '/charset': (_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=klingon' }).end('x'),
  '/image': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0x89, 0, 255])),
  '/untyped': (_, response) => response.writeHead(200).end('plain'),
  '/bytes': (_, response) => response.writeHead(200).end(Buffer.from([255, 254])),
  '/empty': (_, response) => response.writeHead(204).end(),
  '/empty-json': (_, response) => response.writeHead(200, json).end(),
  '/cookies': (_, response) =>
    response.writeHead(200, { 'set-cookie': ['a=1; Expires=Wed, 01 Jan 2031', 'b=2'], 'x-list': ['1', '2'] }).end('x'),
  '/gzip': (_, response) =>
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync('{"z":"gzip"}')),
  '/deflate': (_, response) =>
    response.writeHead(200, { ...json, 'content-encoding': 'deflate' }).end(deflateSync('{"z":"deflate"}')),
  '/br': (_, response) =>
    response.writeHead(200, { ...json, 'content-encoding': 'br' }).end(brotliCompressSync('{"z":"br"}')),
  '/twice': (_, response) =>
    response.writeHead(200, { ...json, 'content-encoding': 'gzip, br' }).end(brotliCompressSync(gzipSync('{"z":2}'))),
  '/thrice': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip, gzip' }).end('x'),
  '/not-gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip at all'),
  '/not-br': (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('not brotli at all'),
  '/cut-gzip': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(9_999)).subarray(0, 20)),
  '/unknown-encoding': (_, response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end('x'),
  '/empty-gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(),
  '/bomb': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50 * 1024 * 1024))),
  '/big': (_, response) => response.writeHead(200).end('x'.repeat(MAX_BYTES + 1)),
  '/full': (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(MAX_BYTES)),
  '/endless': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  },
  '/hints-few': (_, response) => {
    for (let sent = 0; sent < 20; sent++) response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.writeHead(200, json).end('{"a":[1]}');
  },
  '/hints-endless': ({ socket }) => {
    const more = () => {
      while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500)));
    };
    socket.on('drain', more);
    more();
  },
  '/silent': () => undefined,
  '/slow-body': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const timer = setInterval(() => response.write('x'), 10);
    response.on('close', () => clearInterval(timer));
  },
  '/refused/json': (_, response) => response.writeHead(422, json).end('{"error":"amount must be positive"}'),
  '/refused/long': (_, response) => response.writeHead(422, { 'content-type': 'text/plain' }).end('x'.repeat(100_000)),
  '/refused/bytes': (_, response) => response.writeHead(422).end(Buffer.from([255, 254])),
  '/refused/broken': (request, response) => {
    response.writeHead(422, { 'content-length': '100' });
    response.write('x', () => request.socket.destroy());
  },
  '/hang-up': (request) => request.socket.destroy(),
  '/cut': (request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('x', () => request.socket.destroy());
  },
  '/loop': redirect(302, () => '/loop'),
  '/endless-redirect': (_, response) => {
    response.writeHead(302, { location: '/json' });
    response.write('never ends');
  },
  '/five': redirect(302, () => '/four'),
  '/four': redirect(302, () => '/three'),
  '/three': redirect(302, () => '/two'),
  '/two': redirect(302, () => '/one'),
  '/one': redirect(302, () => '/json'),
  '/see-other': redirect(303, () => '/echo'),
  '/keep': redirect(307, () => '/echo'),
  '/elsewhere': redirect(307, (request) => `http://other.test:${portOf(request)}/echo`),
  '/to-private': redirect(302, (request) => `http://private.test:${portOf(request)}/json`),
  '/to-loopback': redirect(302, (request) => `http://127.0.0.1:${portOf(request)}/json`),
  '/to-number': redirect(302, (request) => `http://2130706433:${portOf(request)}/json`),
  '/to-ipv6': redirect(302, (request) => `http://[::ffff:127.0.0.1]:${portOf(request)}/json`),
  '/to-metadata': redirect(302, () => 'http://169.254.169.254/latest/meta-data/'),
  '/to-file': redirect(302, () => 'file:///etc/passwd'),
};

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface TestServer {
  port: number;
  seen: SeenRequest[];
  /** A path alone is on api.test, which is allowed on this port; other.test is allowed on all ports. */
  call(url: string, inputs?: JsonObject, more?: Partial<ActionCall>): Promise<ActionResult>;
  close(): Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(parts).toString() });
      answer(request, response, new URL(url, 'http://x'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const allowedPrivateHosts = [`api.test:${port}`, 'other.test'];
  const executor = buildRequest({ allowedPrivateHosts, maxResponseBytes: MAX_BYTES, lookup });
  return {
    port,
    seen,
    call: (url, inputs = {}, more = {}) =>
      runExecutor(executor, { url: url.startsWith('/') ? `http://api.test:${port}${url}` : url, ...inputs }, more),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, { pathname, searchParams }: URL): void {
  const status = /^\/status\/(\d+)$/.exec(pathname)?.[1];
  const route = routes[pathname];
  if (route !== undefined) route(request, response);
  else if (status === undefined) response.writeHead(404).end();
  else {
    const retryAfter = searchParams.get('retry-after');
    response.writeHead(Number(status), retryAfter === null ? {} : { 'retry-after': retryAfter }).end('s3cret');
  }
}
