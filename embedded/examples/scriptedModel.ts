import { createServer, type ServerResponse } from 'node:http';
import getPort, { portNumbers } from 'get-port';
import { type ScriptedAnswer, scriptedAnswer } from './supportScript.ts';

/** Each start uses the same port if it is free, so that the connection stays valid. */
const PORTS = portNumbers(3_090, 3_190);

export interface ScriptedModel {
  /** The base URL for a connection of app openai; ends in /v1. */
  baseUrl: string;
  host: string;
  close(): Promise<void>;
}

/** Serves completions and models on 127.0.0.1 for the example support-agent without a provider key. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const server = createServer((request, response) => {
    if (request.url === '/v1/models') return json(response, 200, { object: 'list', data: [] });
    if (request.url !== '/v1/chat/completions')
      return json(response, 404, { error: { message: 'There is no such path' } });
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => play(response, Buffer.concat(parts).toString()));
  });
  const port = await getPort({ host: '127.0.0.1', port: PORTS });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  const host = `127.0.0.1:${port}`;
  return {
    baseUrl: `http://${host}/v1`,
    host,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function play(response: ServerResponse, body: string): void {
  let answer: ScriptedAnswer;
  try {
    answer = scriptedAnswer(JSON.parse(body));
  } catch (error) {
    json(response, 400, { error: { message: (error as Error).message } });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = (value: object) =>
    response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', ...value })}\n\n`);
  for (const content of answer.text?.match(/\S+\s*/g) ?? []) write({ choices: [{ index: 0, delta: { content } }] });
  answer.calls.forEach(({ name, input }, index) => {
    const call = { index, id: `call-${Date.now()}-${index}`, function: { name, arguments: JSON.stringify(input) } };
    write({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
  });
  write({ choices: [{ index: 0, delta: {}, finish_reason: answer.calls.length > 0 ? 'tool_calls' : 'stop' }] });
  const [input, output] = [tokensOf(body), tokensOf(JSON.stringify(answer))];
  write({ choices: [], usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } });
  response.end('data: [DONE]\n\n');
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
