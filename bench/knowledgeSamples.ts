import { questionOf } from './embeddingServer.ts';
import { type JsonClient, jsonClient } from './jsonClient.ts';
import { type FilledBase, filledBase, vectorsOf } from './knowledgeData.ts';
import { DIMENSIONS, FOUND, INGESTED_BYTES, type KnowledgeRowName, SEARCHES } from './knowledgeRows.ts';
import { perSecond, runBlock } from './load.ts';
import { mustBe } from './mustBe.ts';
import type { SampledSide, Sampler } from './sampler.ts';
import type { BenchStack } from './stack.ts';
import { timed } from './timing.ts';
import { CLIENTS } from './workRows.ts';

const PARAGRAPH =
  'The harbour is closed in winter, and opens again in April. Goods that arrive before are kept in the northern hall, ' +
  'where the keeper notes their weight, their sender and the day. Whoever fetches them shows a paper with the number.';

function longText(): string {
  const paragraphs: string[] = [];
  for (let bytes = 0, count = 0; bytes < INGESTED_BYTES; count += 1) {
    const paragraph = `Rule ${count}. ${PARAGRAPH}\n\n`;
    bytes += paragraph.length;
    paragraphs.push(paragraph);
  }
  return paragraphs.join('').slice(0, INGESTED_BYTES);
}

interface FoundPart {
  documentId: string;
  partNumber: number;
}

const partsOf = (found: FoundPart[]) => found.map(({ documentId, partNumber }) => `${documentId} ${partNumber}`);

type Search = (question: string) => Promise<string[]>;

function rateOf(search: Search, { questions }: FilledBase): Sampler {
  const texts = questions.map(({ vector }) => questionOf(vector));
  let asked = 0;
  const once = async () => {
    asked += 1;
    mustBe((await search(texts[asked % texts.length] as string)).length, FOUND);
  };
  return async () => ({ values: [perSecond(await runBlock(SEARCHES, CLIENTS, once))] });
}

/** Measures the share of the nearest parts that is found. */
function recallOf(search: Search, { questions }: FilledBase): Sampler {
  return async () => {
    let hits = 0;
    for (const { vector, nearest } of questions) {
      const found = new Set(await search(questionOf(vector)));
      hits += nearest.filter((id) => found.has(id)).length;
    }
    return { values: [hits / (questions.length * FOUND)] };
  };
}

async function sideOf(
  name: KnowledgeRowName,
  stack: BenchStack,
  client: JsonClient,
  searchOf: (base: FilledBase) => Search,
  ingest: () => Promise<number>,
): Promise<SampledSide> {
  const close = () => client.close();
  if (name === 'ingest') return { sample: async () => ({ values: [await ingest()] }), close };
  const base = await filledBase(stack);
  const sample = (name === 'search' ? rateOf : recallOf)(searchOf(base), base);
  return { sample, close };
}

export function ourKnowledgeSide(name: KnowledgeRowName, stack: BenchStack): Promise<SampledSide> {
  const { url, apiKey } = stack.credentials;
  const client = jsonClient(url, { 'x-api-key': apiKey });
  const searchOf =
    ({ knowledgeId }: FilledBase): Search =>
    async (query) => {
      const body = { query, mode: 'semantic', limit: FOUND };
      const { results } = (await client.call('POST', `/api/knowledge/${knowledgeId}/search`, body)).body;
      return partsOf(results);
    };
  const ingest = async () => {
    const made = await client.call('POST', '/api/knowledge', { name: 'bench', dimensions: DIMENSIONS });
    const path = `/api/knowledge/${made.body.id}`;
    const text = longText();
    return (await timed(() => client.call('POST', `${path}/saveUploadedText`, { text }))).tookMs;
  };
  return sideOf(name, stack, client, searchOf, ingest);
}

export function bareKnowledgeSide(name: KnowledgeRowName, url: string, stack: BenchStack): Promise<SampledSide> {
  const client = jsonClient(url, { 'x-api-key': stack.credentials.apiKey });
  const searchOf =
    ({ knowledgeId }: FilledBase): Search =>
    async (query) => {
      const table = vectorsOf(knowledgeId);
      const answer = await client.call('POST', '/knowledge-surface/search', { table, query, limit: FOUND });
      return partsOf(answer.body);
    };
  const ingest = async () => (await client.call('POST', '/knowledge-surface/embed', { text: longText() })).body.tookMs;
  return sideOf(name, stack, client, searchOf, ingest);
}
