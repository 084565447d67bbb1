import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isLoopbackName, MISDIRECTED } from '../process/loopbackName.ts';

export interface Target {
  host: string;
  port: number;
}

/** Forwards requests to another loopback port only if their Host is this machine: the Temporal UI has no password. */
export async function startLoopbackProxy(port: number, target: Target): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (isLoopbackName(request.headers.host)) return forward(request, response, target);
    response.writeHead(MISDIRECTED.status, { 'content-type': 'text/plain' }).end(MISDIRECTED.text);
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
  // The Temporal server is down, restarting, or closed the connection.
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
