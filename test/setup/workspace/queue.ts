import { expect } from '@jest/globals';
import { type Api, type ApiAnswer, api } from '../api/client.ts';
import { makeWorkspace, type TestWorkspace } from './workspace.ts';

export interface TestQueue extends TestWorkspace {
  own: Api;
  queueId: string;
  path: string;
  add(item?: object, expansion?: string): Promise<ApiAnswer['body']>;
  read(itemId: string, expansion?: string): Promise<ApiAnswer['body']>;
  move(itemId: string, status: string, more?: object): Promise<ApiAnswer>;
}

export async function makeQueue(settings: object = {}): Promise<TestQueue> {
  const workspace = await makeWorkspace();
  const own = api(workspace.url, workspace.apiKey);
  const made = await own('POST', `/api/queues?projectId=${workspace.projectId}`, {
    body: { name: 'Refunds', ...settings },
  });
  expect(made.status).toBe(201);
  const path = `/api/queues/${made.body.id}`;
  return {
    ...workspace,
    own,
    path,
    queueId: made.body.id,
    async add(item = {}, expansion = '') {
      const answer = await own('POST', `${path}/items?expansion=${expansion}`, { body: { data: {}, ...item } });
      expect(answer.status).toBe(201);
      return answer.body;
    },
    async read(itemId, expansion = '') {
      const answer = await own('GET', `${path}/items/${itemId}?expansion=${expansion}`);
      expect(answer.status).toBe(200);
      return answer.body;
    },
    move: (itemId, status, more = {}) => own('PATCH', `${path}/items/${itemId}/status`, { body: { status, ...more } }),
  };
}
