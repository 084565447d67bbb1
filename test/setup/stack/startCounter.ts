import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import proto from '@temporalio/proto';

const START = '/temporal.api.workflowservice.v1.WorkflowService/StartWorkflowExecution';
const OK = '0';
const ALREADY_EXISTS = '6';
/** Prefix of a gRPC message: whether it is compressed, and its length. */
const PREFIX_BYTES = 5;

export interface StartCounter {
  address: string;
  /** Number of start attempts by workflow id: the server accepted it or already had it, or the client timed out. */
  starts: Map<string, number>;
  /** Attempts whose client timed out. */
  givenUp(): number;
  /** Starts that the server rejected, as it does before it is ready. */
  refused(): number;
  close(): Promise<void>;
}

/** Starts a proxy to a Temporal server that counts the attempts to start workflows. */
export async function countStarts(target: string): Promise<StartCounter> {
  const starts = new Map<string, number>();
  let refused = 0;
  let givenUp = 0;
  const ways = new Map<ServerHttp2Session, ClientHttp2Session>();
  const server = createServer();
  server.on('session', (session) => {
    const way = connect(`http://${target}`);
    ways.set(session, way);
    // Break both sides together: clients must notice that the server is gone.
    way.on('error', () => session.destroy()).on('close', () => session.destroy());
    session.on('error', () => way.destroy());
    session.on('close', () => {
      ways.delete(session);
      way.destroy();
    });
  });
  server.on('stream', (stream, headers) => {
    const way = stream.session && ways.get(stream.session as ServerHttp2Session);
    stream.on('error', () => undefined);
    // A server that is shutting down rejects further requests: the client must reconnect.
    if (!way || way.destroyed || way.closed) return void stream.session?.destroy();
    const onward = way.request({ ...headers });
    let trailers: IncomingHttpHeaders = {};
    let answered = (_status: unknown) => {};
    onward.on('error', () => stream.close());
    onward.on('response', ({ ...answer }, flags) => {
      if (stream.destroyed) return;
      // Headers that end the stream are a rejection without a message.
      const isAll = (flags & 1) === 1;
      if (isAll) answered(answer['grpc-status']);
      stream.respond(answer, isAll ? { endStream: true } : { waitForTrailers: true });
    });
    onward.on('trailers', (all) => {
      trailers = all;
      answered(all['grpc-status']);
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.on('close', () => onward.close(stream.rstCode));
    if (headers[':path'] === START) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      const count = () => {
        const id = workflowIdOf(Buffer.concat(parts));
        starts.set(id, (starts.get(id) ?? 0) + 1);
      };
      let isAnswered = false;
      answered = (status) => {
        isAnswered = true;
        if (status === OK || status === ALREADY_EXISTS) count();
        else refused += 1;
      };
      stream.on('close', () => {
        // An incomplete request, or one on a broken connection, never reached the server.
        if (isAnswered || !stream.readableEnded || way.connecting || way.destroyed) return;
        givenUp += 1;
        count();
      });
    }
    stream.pipe(onward);
    onward.pipe(stream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    starts,
    refused: () => refused,
    givenUp: () => givenUp,
    async close() {
      for (const session of ways.keys()) session.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

function workflowIdOf(message: Buffer): string {
  const { StartWorkflowExecutionRequest } = proto.temporal.api.workflowservice.v1;
  const body = message.subarray(PREFIX_BYTES);
  return StartWorkflowExecutionRequest.decode(message[0] === 1 ? gunzipSync(body) : body).workflowId;
}
