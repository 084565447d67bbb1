import { setTimeout as sleep } from 'node:timers/promises';
import express, { Router } from 'express';

/** Instructions for the provider, as JSON in the user's newest message. */
export interface ProviderOrder {
  /** Pieces of text. Each is the time at which it was sent (epoch milliseconds) and a space. */
  say: number;
  everyMs: number;
  /** Calls of the first tool, made once before any text. */
  calls?: number;
  /** Sends nothing before `POST /provider/go/<this>`. */
  waitsFor?: string;
}

/** A scripted model behind OpenAI's protocol. */
export function providerRoutes(): Router {
  const router = Router();
  const gates = new Map<string, PromiseWithResolvers>();
  const gate = (name: string): PromiseWithResolvers => {
    const known = gates.get(name) ?? withResolvers();
    gates.set(name, known);
    return known;
  };
  router.get('/v1/models', (_, response) => void response.json({ object: 'list', data: [] }));
  router.post('/go/:name', ({ params }, response) => {
    gate(params.name).resolve();
    response.json(true);
  });
  router.post('/v1/chat/completions', express.json({ limit: '4mb' }), async ({ body }, response) => {
    const messages: { role: string; content: string }[] = body.messages;
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const { say, everyMs, calls = 0, waitsFor }: ProviderOrder = JSON.parse(messages[asked]?.content ?? '');
    const isCalling = calls > 0 && !messages.slice(asked).some(({ role }) => role === 'tool');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (more: object) =>
      response.write(
        `data: ${JSON.stringify({ id: 'bench', object: 'chat.completion.chunk', model: body.model, ...more })}\n\n`,
      );
    let opening: object = { role: 'assistant' };
    const delta = (given: object) => {
      send({ choices: [{ index: 0, delta: { ...opening, ...given }, finish_reason: null }] });
      opening = {};
    };
    if (waitsFor !== undefined) await gate(waitsFor).promise;
    for (let piece = 0; piece < say; piece += 1) {
      if (everyMs > 0) await sleep(everyMs);
      // A model that calls tools takes time too.
      if (!isCalling) delta({ content: `${Date.now()} ` });
    }
    const name = body.tools?.[0]?.function.name;
    for (let index = 0; isCalling && index < calls; index += 1) {
      const call = { name, arguments: JSON.stringify({ output: index }) };
      delta({ tool_calls: [{ index, id: `call-${index}`, type: 'function', function: call }] });
    }
    send({ choices: [{ index: 0, delta: {}, finish_reason: isCalling ? 'tool_calls' : 'stop' }] });
    const usage = { prompt_tokens: 1, completion_tokens: say, total_tokens: say + 1 };
    send({ choices: [], usage });
    response.end('data: [DONE]\n\n');
  });
  return router;
}

interface PromiseWithResolvers {
  promise: Promise<void>;
  resolve(): void;
}

function withResolvers(): PromiseWithResolvers {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
