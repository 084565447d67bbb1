// test: long
import { once } from 'node:events';
import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { anyPort } from '../../process/ports.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { control, webhook } from '../setup/workspace/graph.ts';

const HOST = 'hooks.test';
const port = String(await anyPort());
const { home } = await ownHome({
  port,
  environment: { PUBLIC_URL: `http://127.0.0.1:${port}`, WEBHOOK_URL: `http://${HOST}` },
});

async function call(workflowId: string, host: string, body: object) {
  const { hostname, port } = new URL(home.url);
  const headers = { host, 'content-type': 'application/json' };
  const path = `/api/webhooks/workflows/${workflowId}`;
  const request = send({ hostname, port, path, method: 'POST', headers });
  request.end(JSON.stringify(body));
  const [response] = await once(request, 'response');
  return { status: response.statusCode, type: response.headers['content-type'], text: await text(response) };
}

test.each(['text/javascript', '{{ trigger.body.type }}'])(
  'a workflow answers a script of type %s there',
  async (type) => {
    const workflowId = await home.deploy({
      trigger: webhook({ respond: 'whenFinished' }),
      nodes: [control('reply', 'respond', { headers: { 'Content-Type': type }, body: 'alert(1)' })],
    });
    const body = { type: 'text/javascript' };
    expect(await call(workflowId, HOST, body)).toEqual({ status: 200, type: 'text/javascript', text: 'alert(1)' });
    expect((await call(workflowId, new URL(home.url).host, body)).status).toBe(404);
  },
);
