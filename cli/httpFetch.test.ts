import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { onTestFinished } from '../test/setup/jest/onTestFinished.ts';
import { httpFetch } from './httpFetch.ts';

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('sends a request as fetch does, and returns a Response', async () => {
  const url = await serve(async (request, response) => {
    const { method, url: path, headers } = request;
    const body = (await buffer(request)).toString();
    response.writeHead(201, { 'content-type': 'application/json', link: ['<a>', '<b>'] });
    response.end(JSON.stringify({ method, path, headers, body }));
  });
  const text = JSON.stringify({ name: 'Zoë' });
  const given = {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: text,
  };
  const answer = await httpFetch(`${url}/a?b=%20c`, given);
  expect([answer.status, answer.ok, answer.headers.get('link')]).toEqual([201, true, '<a>, <b>']);
  const seen = (await answer.json()) as { headers: Record<string, string> };
  expect(seen).toMatchObject({ method: 'POST', path: '/a?b=%20c', body: text });
  expect(seen.headers).toMatchObject({
    authorization: 'Bearer x',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  });
  const form = await httpFetch(url, { method: 'POST', body: new URLSearchParams({ a: 'b c' }) });
  const sent = (await form.json()) as { headers: Record<string, string>; body: string };
  expect([sent.body, sent.headers['content-type']]).toEqual([
    'a=b+c',
    'application/x-www-form-urlencoded;charset=UTF-8',
  ]);
});

test('an answer without a body, a redirect, and a large one that comes in parts', async () => {
  const url = await serve(({ url: path }, response) => {
    if (path === '/none') response.writeHead(204).end();
    else if (path === '/moved') response.writeHead(302, { location: '/none' }).end();
    else {
      response.write('a'.repeat(300_000));
      setImmediate(() => response.end('b'.repeat(300_000)));
    }
  });
  const none = await httpFetch(`${url}/none`);
  expect([none.status, none.body, await none.text()]).toEqual([204, null, '']);
  const moved = await httpFetch(`${url}/moved`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/none']);
  expect((await (await httpFetch(url)).text()).length).toBe(600_000);
});

test('rejects an aborted request, an interrupted answer, and a refused connection', async () => {
  const url = await serve(({ url: path, socket }, response) => {
    if (path === '/breaks') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => socket.destroy());
    }
  });
  const stop = new AbortController();
  const waiting = httpFetch(url, { signal: stop.signal });
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
  await expect(httpFetch(`${url}/breaks`).then((answer) => answer.text())).rejects.toThrow();
  await expect(httpFetch('http://127.0.0.1:1')).rejects.toThrow(/ECONNREFUSED/);
});
