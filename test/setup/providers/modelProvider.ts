import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gate } from '../jest/gate.ts';
import { onTestFinished } from '../jest/onTestFinished.ts';
import { ChatAnswer } from './chatAnswer.ts';
import { embeddingsOf } from './embeddings.ts';
import type { ChatRequest, ModelRequest } from './modelRequest.ts';
import type { ModelStep } from './modelScript.ts';

export interface ModelProvider {
  /** The value for `OPENAI_BASE_URL` and the `baseUrl` of a connection; ends in /v1. */
  baseUrl: string;
  /** Every call, embeddings included, in the order of arrival. */
  requests: ModelRequest[];
  answer(...answers: ModelStep[][]): void;
  /** Responds to all calls for which no `answer` is left. */
  answerBy(rule: (request: ModelRequest) => ModelStep[]): void;
  failEmbeddings(...failures: EmbeddingFailure[]): void;
  /** Delays new calls for embeddings that contain one of the texts (all calls if there is none) until the returned function is called. */
  holdEmbeddings(...texts: string[]): () => void;
  /** Resolves with the n-th call (1-based) once it has arrived. */
  request(count: number): Promise<ModelRequest>;
  close(): Promise<void>;
}

export interface EmbeddingFailure {
  status: number;
  headers?: Record<string, string>;
  message?: string;
}

/**
 * Starts a scripted server of the OpenAI protocol on 127.0.0.1 until the test ends: chat completions, streamed or
 * whole, and embeddings. A chat call without a script gets a 400, which is not retried.
 */
export async function startModelProvider({ port = 0 } = {}): Promise<ModelProvider> {
  const requests: ModelRequest[] = [];
  const scripts: ModelStep[][] = [];
  const failures: EmbeddingFailure[] = [];
  let held = Promise.resolve();
  let heldTexts: string[] = [];
  const waiting: (() => void)[] = [];
  let rule: ((request: ModelRequest) => ModelStep[]) | undefined;

  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString() || '{}') as ChatRequest;
    const request: ModelRequest = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body,
      sent: '',
      aborted: false,
      ended: new Promise((done) => response.once('close', done)),
    };
    response.once('close', () => {
      request.aborted = !response.writableFinished;
    });
    requests.push(request);
    for (const wake of waiting.splice(0)) wake();

    if (request.path === '/v1/embeddings') {
      const input = JSON.stringify(body.input);
      if (heldTexts.length === 0 || heldTexts.some((text) => input.includes(text))) await held;
      const failure = failures.shift();
      if (failure === undefined) return json(response, 200, embeddingsOf(body));
      const { status, headers, message = 'Scripted.' } = failure;
      return json(response, status, { error: { message } }, headers);
    }
    // Some providers have another path, with a query.
    if (!/\/chat\/completions(\?|$)/.test(request.path))
      return json(response, 404, { error: { message: 'No such path.' } });
    const script = scripts.shift() ?? rule?.(request);
    if (script === undefined) return json(response, 400, { error: { message: 'The test has scripted no answer.' } });
    await new ChatAnswer(request, response, `chatcmpl-${requests.length}`).play(script);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));

  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer: (...answers) => void scripts.push(...answers),
    answerBy: (given) => {
      rule = given;
    },
    failEmbeddings: (...given) => void failures.push(...given),
    holdEmbeddings: (...texts) => {
      heldTexts = texts;
      const { after, goOn } = gate();
      held = after;
      return goOn;
    },
    request: async (count) => {
      while (requests[count - 1] === undefined) await new Promise<void>((wake) => waiting.push(wake));
      return requests[count - 1] as ModelRequest;
    },
    close,
  };
}

function json(response: ServerResponse, status: number, value: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}
