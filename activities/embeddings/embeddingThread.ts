import { parentPort } from 'node:worker_threads';
import { splitText } from '../../domain/knowledge/chunk.ts';
import type { ThreadAnswer, ThreadTask } from './threadMessages.ts';

/** The entry of a thread: tokenizers and encoder compute for long, and are loaded when they are first needed. */
const port = parentPort;
if (port === null) throw new Error('embeddingThread is the entry of a worker thread');

port.on('message', async (task: ThreadTask) => {
  let answer: ThreadAnswer;
  try {
    answer = await perform(task);
  } catch (error) {
    answer = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(answer);
});

async function perform(task: ThreadTask): Promise<ThreadAnswer> {
  if (task.kind === 'embed') {
    const { embedLocally } = await import('./localEncoder.ts');
    return { kind: 'embed', vectors: await embedLocally(task.texts) };
  }
  const { text, rules, provider } = task;
  return { kind: 'split', chunks: splitText(text, rules, await counterOf(provider)) };
}

/** Models of other names than OpenAI's are counted as its own are. */
async function counterOf(provider: 'openai' | 'local'): Promise<(text: string) => number> {
  if (provider === 'local') return (await import('./localEncoder.ts')).countLocalTokens();
  const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
  // Text of a document that looks like a control token is text.
  const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  return (piece) => countTokens(piece, asText);
}
