import { z } from 'zod';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import { type Executor, failed, succeeded } from '../executor.ts';
import { type AskSlack, buildAskSlack, type SlackAnswer, type SlackSettings } from './askSlack.ts';

/** Slack's limits. It cuts longer texts off, and the author should know instead. */
const MAX_TEXT = 40_000;
const MAX_BLOCKS = 50;

const CHANNEL = z.string().trim().min(1).max(100);
const TS = z.string().regex(/^\d{1,12}\.\d{1,9}$/, 'expected the ts of a message, such as 1763720130.000100');
const MESSAGE = {
  text: z.string().min(1).max(MAX_TEXT),
  blocks: z.array(jsonObject).max(MAX_BLOCKS).optional(),
};

const POSTED = z.object({ channel: z.string(), ts: z.string() });

export function buildSlack(settings: SlackSettings): Record<string, Executor> {
  const ask = buildAskSlack(settings);
  return { postMessage: postMessage(ask), updateMessage: updateMessage(ask) };
}

function postMessage(ask: AskSlack): Executor {
  return withInputs(
    { channel: CHANNEL, ...MESSAGE, threadTs: TS.optional() },
    async ({ channel, text, blocks, threadTs }, call) => {
      const body = given({ channel, text, blocks, thread_ts: threadTs });
      return posted(await ask(call, 'chat.postMessage', body));
    },
  );
}

function updateMessage(ask: AskSlack): Executor {
  return withInputs({ channel: CHANNEL, ts: TS, ...MESSAGE }, async ({ channel, ts, text, blocks }, call) =>
    posted(await ask(call, 'chat.update', given({ channel, ts, text, blocks }))),
  );
}

function given(members: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

function posted(answer: SlackAnswer) {
  if (!answer.ok) return answer.result;
  const read = POSTED.safeParse(answer.body);
  return read.success ? succeeded(read.data) : failed('SLACK_UNCLEAR', 'Slack answered without channel and ts.');
}
