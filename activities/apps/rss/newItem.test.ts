import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { loopback } from '../../../test/setup/providers/loopback.ts';
import { buildRequest } from '../http/request.ts';
import { buildNewItem } from './newItem.ts';

const poller = buildNewItem(buildRequest({ allowedPrivateHosts: ['127.0.0.1'], maxResponseBytes: 100_000 }));
const signal = new AbortController().signal;
const look = (url: string, cursor: Json = null) =>
  poller({ inputs: { url }, cursor, workspaceId: 'w', startWith: 'new' as const, signal });

async function feed(text: string, type = 'application/rss+xml') {
  const server = await loopback((_, response) => void response.writeHead(200, { 'content-type': type }).end(text));
  const result = await look(server.url);
  if (!result.ok) throw new Error(result.failure.message);
  return result.items as { key: string; item: JsonObject }[];
}

test('RSS 2.0: the oldest first, identified by guid or link', async () => {
  const items = await feed(`<?xml version="1.0"?><rss version="2.0"><channel><title>T</title>
    <item><title>B &amp; C</title><link>http://x.test/2</link><guid isPermaLink="false">two</guid>
      <pubDate>Sat, 21 Nov 2026 10:00:00 GMT</pubDate><description><![CDATA[<p>hi</p>]]></description>
      <category>news</category></item>
    <item><title>A</title><link>http://x.test/1</link></item>
    <item><description>nothing to know it by</description></item>
  </channel></rss>`);
  expect(items.map(({ key }) => key)).toEqual(['http://x.test/1', 'two']);
  expect(items[1]?.item).toEqual({
    id: 'two',
    title: 'B & C',
    link: 'http://x.test/2',
    publishedAt: '2026-11-21T10:00:00.000Z',
    author: null,
    summary: '<p>hi</p>',
    content: null,
    categories: ['news'],
  });
});

test('Atom: identified by id, with its alternate link', async () => {
  const items = await feed(
    `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>u</id>
      <entry><id>urn:1</id><title>Hello</title><link rel="self" href="http://x.test/self"/>
        <link href="http://x.test/1"/><updated>2026-11-21T10:00:00Z</updated><author><name>Ada</name></author>
        <content type="html">text</content></entry></feed>`,
    'application/atom+xml',
  );
  expect(items).toEqual([
    {
      key: 'urn:1',
      item: expect.objectContaining({ title: 'Hello', link: 'http://x.test/1', author: 'Ada', content: 'text' }),
    },
  ]);
});

test('internal entities are not expanded, and external ones not loaded', async () => {
  const text = (entity: string) => `<?xml version="1.0"?><!DOCTYPE r [${entity}]>
    <rss version="2.0"><channel><item><guid>g</guid><title>&a;</title></item></channel></rss>`;
  const items = await feed(text('<!ENTITY a "expanded">'));
  expect(items[0]?.item.title).toBe('&a;');
  await expect(feed(text('<!ENTITY a SYSTEM "file:///etc/passwd">'))).rejects.toThrow('no RSS 2.0 or Atom feed');
});

test.each(['<html><body>no feed</body></html>', '', '{"a":1}'])('%j is no feed', async (text) => {
  const server = await loopback((_, response) => void response.writeHead(200).end(text));
  expect(await look(server.url)).toMatchObject({ ok: false, failure: { code: 'POLL_INVALID_ANSWER' } });
});

test('an unchanged feed is not sent again', async () => {
  const server = await loopback((call, response) => {
    if (call.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
    else
      response
        .writeHead(200, { etag: '"v1"' })
        .end('<rss version="2.0"><channel><item><guid>a</guid></item></channel></rss>');
  });
  const first = await look(server.url);
  expect(first).toMatchObject({ ok: true, items: [{ key: 'a' }], cursor: { etag: '"v1"' } });
  if (!first.ok) throw new Error('failed');
  expect(await look(server.url, first.cursor)).toEqual({ ok: true, items: [], cursor: first.cursor });
});
