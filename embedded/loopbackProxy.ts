import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** 127.0.0.1:8233, localhost:8233, [::1]:8233 */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

export interface Target {
  host: string;
  port: number;
}

/**
 * An address of this machine that nobody guesses: behind the proxy the UI would be found by trying all ports. Only Linux takes
 * every address of 127.0.0.0/8.
 */
export function hiddenLoopback(platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'linux') return '127.0.0.1';
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/**
 * Serves another server's port of loopback, and only to those who call it by a name of this machine. The Temporal UI asks
 * for no password and takes any Host: a page of a stranger whose name resolves to 127.0.0.1 (DNS rebinding) would read it.
 */
export async function startLoopbackProxy(port: number, target: Target): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (LOOPBACK.test(request.headers.host ?? '')) return forward(request, response, target);
    response.writeHead(421, { 'content-type': 'text/plain' });
    response.end('This address is for the machine itself: call it as 127.0.0.1 or localhost\n');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}

function forward(request: IncomingMessage, response: ServerResponse, { host, port }: Target): void {
  const { method, url, headers } = request;
  const onward = ask({ host, port, method, path: url, headers });
  // The Temporal server is away, starts again, or broke off.
  const broken = () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end('The Temporal server does not answer\n');
  };
  onward.on('error', broken);
  onward.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response).catch(broken);
  });
  pipeline(request, onward).catch(broken);
}
