import type { OpenAI } from 'openai';
import { z } from 'zod';

const message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });

export const CONVERSATION = {
  model: z.string().min(1),
  prompt: z.string().optional(),
  system: z.string().optional(),
  messages: z.array(message).max(1_000).optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).optional(),
  timeoutMs: z.number().min(1).max(86_400_000).default(120_000),
};

type Inputs = z.output<z.ZodObject<typeof CONVERSATION>>;

export interface ChatBody extends OpenAI.ChatCompletionCreateParamsNonStreaming {
  maxTokens?: number;
}

export function conversationOf(inputs: Inputs): ChatBody | undefined {
  const { model, prompt, system, messages = [], temperature, maxTokens } = inputs;
  const asked: OpenAI.ChatCompletionMessageParam[] = [
    ...(system ? [{ role: 'system' as const, content: system }] : []),
    ...messages,
    ...(prompt ? [{ role: 'user' as const, content: prompt }] : []),
  ];
  if (!asked.some(({ role }) => role !== 'system')) return undefined;
  return {
    model,
    messages: asked,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

export const NOTHING_ASKED = 'prompt: expected a text, or messages with one of the user';
