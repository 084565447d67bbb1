import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { DIMENSIONS } from './knowledgeRows.ts';

/** Time that a provider takes for a call with many texts. */
const CALL_MS = 1_000;

export interface EmbeddingServer {
  url: string;
  close(): void;
}

export function questionOf(vector: readonly number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString('base64');
}

/** Serves OpenAI's embeddings on loopback. Questions contain their vector and are fast; parts of documents are slow. */
export async function startEmbeddings(): Promise<EmbeddingServer> {
  const app = express();
  app.post('/v1/embeddings', express.json({ limit: '64mb' }), async ({ body }, response) => {
    const texts: string[] = [body.input].flat();
    if (texts.length > 1) await sleep(CALL_MS);
    const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    response.json({ object: 'list', model: body.model, data, usage: { prompt_tokens: 0, total_tokens: 0 } });
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server without a port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function vectorOf(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === DIMENSIONS * Float32Array.BYTES_PER_ELEMENT && bytes.toString('base64') === text) {
    return Array.from(new Float32Array(new Uint8Array(bytes).buffer));
  }
  let state = [...text.slice(0, 200)].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
  return Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}
