import { expect } from '@jest/globals';
import { type Api, api } from '../api/client.ts';
import { makeWorkspace } from './workspace.ts';

export interface TestKnowledge {
  own: Api;
  id: string;
  workspaceId: string;
  apiKey: string;
  path: string;
  save(text: string, more?: object): Promise<{ status: number; body: unknown }>;
  search(query: string, more?: object): Promise<Found[]>;
}

export interface Found {
  documentId: string;
  groupId: string;
  partNumber: number;
  text: string;
  score: number;
  metadata: Record<string, unknown>;
}

/** Creates a knowledge base in a separate workspace; by default with the encoder that needs no key. */
export async function makeKnowledge(body: object = {}): Promise<TestKnowledge> {
  const { url, apiKey, workspaceId } = await makeWorkspace();
  const own = api(url, apiKey);
  const made = await own('POST', '/api/knowledge', { body: { name: 'Handbook', ...body } });
  expect(made.status).toBe(201);
  const path = `/api/knowledge/${made.body.id}`;
  return {
    ...{ own, id: made.body.id, workspaceId, apiKey, path },
    save: (text, more = {}) => own('POST', `${path}/saveUploadedText`, { body: { text, ...more } }),
    async search(query, more = {}) {
      const found = await own('POST', `${path}/search`, { body: { query, ...more } });
      expect(found.status).toBe(200);
      return found.body.results;
    },
  };
}
