import { expect, test } from '@jest/globals';
import type { UIMessage, UIMessageChunk } from 'ai';
import { AnswerChunks } from '../../domain/agent/answerChunks.ts';
import { chatMessages } from '../../domain/agent/chatMessages.ts';
import type { OfferedTool } from '../../domain/agent/tool.ts';
import { toolNameOf } from '../../domain/agent/toolNames.ts';
import { foldMessage } from '../../engine/turns/foldMessage.ts';
import { DIALECTS, type Dialect } from '../../test/setup/providers/dialects.ts';
import { type ModelProvider, startModelProvider } from '../../test/setup/providers/modelProvider.ts';
import type { ModelStep } from '../../test/setup/providers/modelScript.ts';
import { type ChosenProvider, providerOf } from '../providers/chosenProvider.ts';
import { buildOpenAiClient } from '../providers/openAiClient.ts';
import { streamAnswer } from './streamAnswer.ts';

// Replays each provider's real streams through whole conversations with a local server, without engine and database.

const TOOL: OfferedTool = {
  ...{ name: 'look', description: '', kind: 'action', policy: 'auto', inputSchema: {} },
  problems: () => [],
};

async function clientOf(server: ModelProvider, dialect?: Dialect): Promise<ChosenProvider> {
  const client = buildOpenAiClient({ allowedPrivateHosts: ['127.0.0.1'], maxAnswerBytes: 1_000_000 });
  const baseUrl = dialect?.place?.(server.baseUrl) ?? server.baseUrl;
  return providerOf(client, { apiKey: 'sk-dialect', baseUrl }, undefined);
}

class Chat {
  readonly messages: UIMessage[] = [];
  steps = 0;

  async turn(provider: ChosenProvider, text: string) {
    this.messages.push({ id: `u${this.messages.length}`, role: 'user', parts: [{ type: 'text', text }] });
    const chunks: UIMessageChunk[] = [];
    const reasons: string[] = [];
    const id = `a${this.messages.length}`;
    for (;;) {
      this.steps += 1;
      const own = await foldMessage(id, undefined, chunks);
      const messages = chatMessages('Help.', [...this.messages, own], provider.id);
      const taken = own.parts.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []));
      const answer = new AnswerChunks({
        ...{ prefix: `p${this.steps}`, tools: [TOOL], takenIds: new Set(taken), mayCall: true },
        ...{ provider: provider.id, maxCalls: 128, cutBefore: 0 },
      });
      const body = { model: 'm', messages, stream: true as const };
      const failure = await streamAnswer(
        provider,
        { body, limit: 500, timeoutMs: 60_000 },
        {
          stop: new AbortController().signal,
          take: (chunk) => {
            chunks.push(...answer.take(chunk));
            return answer.isFinished ? 'finished' : 'continues';
          },
        },
      );
      expect(failure).toBeUndefined();
      const { chunks: rest, calls, continues, finishReason } = answer.end();
      chunks.push(...rest);
      for (const { toolCallId, input } of calls)
        chunks.push({ type: 'tool-output-available', toolCallId, output: input });
      reasons.push(finishReason);
      if (!continues) break;
    }
    const message = await foldMessage(id, undefined, chunks);
    this.messages.push(JSON.parse(JSON.stringify(message)));
    return { message, reasons };
  }
}

const textIn = ({ parts }: UIMessage) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
const callsIn = ({ parts }: UIMessage) =>
  parts.filter((part) => toolNameOf(part) !== undefined) as { state: string; output?: unknown }[];
const call = (id: string, given: object) => ({ id, name: 'look', arguments: given });

test.each(Object.entries(DIALECTS))(
  '%s: text, calls side by side, a second step, and an answer that is cut off',
  async (_, dialect) => {
    const server = await startModelProvider();
    const provider = await clientOf(server, dialect);
    const chat = new Chat();
    const say = (text: string, ...answers: ModelStep[][]) => {
      server.answerBy(({ body }) => {
        const refusal = dialect.refusal?.(body);
        return refusal === undefined ? (answers.shift() ?? [{ status: 500 }]) : [refusal];
      });
      return chat.turn(provider, text);
    };

    const first = await say('Hi', dialect.text('Hello there'));
    expect([textIn(first.message), first.reasons]).toEqual(['Hello there', ['stop']]);

    const second = await say(
      'Two of them',
      dialect.calls([call('one', { n: 1 }), call('two', { n: 2 })]),
      dialect.calls([call('three', { n: 3 })]),
      dialect.text('Both done'),
    );
    expect(textIn(second.message)).toBe('Both done');
    expect(callsIn(second.message).map(({ output }) => output)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(second.reasons).toEqual(['tool-calls', 'tool-calls', 'stop']);
    const asked = server.requests.at(-1)?.body.messages.slice(-5) ?? [];
    expect(asked.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool', 'assistant', 'tool']);
    const ids = asked.flatMap(({ tool_calls }) => ((tool_calls ?? []) as { id: string }[]).map(({ id }) => id));
    expect(asked.flatMap(({ tool_call_id }) => tool_call_id ?? [])).toEqual(ids);

    const third = await say('Once more', dialect.cut(call('four', { n: 4 })), dialect.text('Shorter'));
    expect([textIn(third.message), third.reasons]).toEqual(['Shorter', ['length', 'stop']]);
    expect(callsIn(third.message)).toMatchObject([{ state: 'output-error' }]);

    const other = await startModelProvider();
    other.answer([{ text: 'I am new' }]);
    await chat.turn(await clientOf(other), 'And you?');
    const received = JSON.stringify(other.requests[0]?.body.messages);
    expect(received).not.toMatch(/"reasoning|extra_content|"thinking"|__thought__/);
    if (dialect.own) expect(JSON.stringify(server.requests.map(({ body }) => body.messages))).toMatch(dialect.own);
  },
);

test('an Azure deployment receives requests at its path, with its version and its header', async () => {
  const server = await startModelProvider();
  const dialect = DIALECTS['Azure, by deployment'] as Dialect;
  server.answer(dialect.text('Hello'));
  await new Chat().turn(await clientOf(server, dialect), 'Hi');
  expect(server.requests[0]).toMatchObject({
    path: '/openai/deployments/mine/chat/completions?api-version=2024-10-21',
    headers: { 'api-key': 'sk-dialect' },
  });
});
