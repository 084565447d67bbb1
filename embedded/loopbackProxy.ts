import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** 127.0.0.1:8233, localhost:8233, [::1]:8233 */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/**
 * Serves another server's port of loopback, and only to those who call it by a name of this machine. The Temporal UI asks
 * for no password and takes any Host: a page of a stranger whose name resolves to 127.0.0.1 (DNS rebinding) would read it.
 */
export async function startLoopbackProxy(port: number, targetPort: number): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (LOOPBACK.test(request.headers.host ?? '')) return void forward(request, response, targetPort);
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

async function forward(request: IncomingMessage, response: ServerResponse, targetPort: number): Promise<void> {
  const { method, url, headers } = request;
  const onward = ask({ host: '127.0.0.1', port: targetPort, method, path: url, headers });
  try {
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response).catch(() => response.destroy());
    });
    await pipeline(request, onward);
  } catch {
    // The Temporal server is away, or starts again.
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end('The Temporal server does not answer\n');
  }
}
