import { parentPort } from 'node:worker_threads';
import { splitText } from '../../domain/knowledge/chunk.ts';
import type { ThreadAnswer, ThreadTask } from './threadMessages.ts';

/** The entry of a thread. Tokenizers and encoder are loaded when first needed, and compute for a long time. */
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

/** Unknown models are counted like OpenAI's. */
async function counterOf(provider: 'openai' | 'local'): Promise<(text: string) => number> {
  if (provider === 'local') return (await import('./localEncoder.ts')).countLocalTokens();
  const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
  // Texts that look like control tokens are ordinary text.
  const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  return (piece) => countTokens(piece, asText);
}
