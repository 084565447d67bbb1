import type { Atom, Rss } from 'feedsmith';
import type { PollItem } from '../../../domain/execution/triggerCalls.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Executor } from '../executor.ts';
import { conditionalGet } from '../http/conditionalGet.ts';
import { type Poller, pollFailed } from '../poller.ts';

type FeedItem = Record<'id' | 'title' | 'link' | 'publishedAt' | 'author' | 'summary' | 'content', string | null> & {
  categories: string[];
};

/** `rss.newItem`: feeds list the newest item first, executions start with the oldest. */
export function buildNewItem(request: Executor): Poller {
  return async (call) => {
    const { url } = call.inputs as { url: string };
    const got = await conditionalGet(request, call, { url, responseType: 'text' });
    if ('ok' in got) return got;
    if (got.kind === 'unchanged') return { ok: true, items: [], cursor: call.cursor };
    const found = await itemsOf(String(got.body));
    if (found === undefined) return pollFailed('POLL_INVALID_ANSWER', 'The answer is no RSS 2.0 or Atom feed.');
    const items: PollItem[] = [];
    for (const item of found.toReversed()) {
      const key = item.id ?? item.link ?? (item.title === null ? null : `${item.title}\n${item.publishedAt}`);
      if (key !== null) items.push({ key, item: item as unknown as JsonObject });
    }
    return { ok: true, items, cursor: got.cursor };
  };
}

async function itemsOf(text: string): Promise<FeedItem[] | undefined> {
  const { parseFeed } = await import('feedsmith');
  try {
    const { format, feed } = parseFeed(text);
    if (format === 'rss') return (feed.items ?? []).map(rssItem);
    if (format === 'atom') return (feed.entries ?? []).map(atomItem);
    return undefined;
  } catch {
    return undefined;
  }
}

function rssItem(item: Rss.Item<string>): FeedItem {
  return {
    id: item.guid?.value ?? null,
    title: item.title ?? null,
    link: item.link ?? null,
    publishedAt: isoTime(item.pubDate),
    author: nameOf(item.authors?.[0]) ?? item.dc?.creators?.[0] ?? null,
    summary: item.description ?? null,
    content: item.content?.encoded ?? null,
    categories: (item.categories ?? []).flatMap(({ name }) => name ?? []),
  };
}

function nameOf(person: string | { name?: string; email?: string } | undefined): string | undefined {
  return typeof person === 'object' ? (person.name ?? person.email) : person;
}

function atomItem(entry: Atom.Entry<string>): FeedItem {
  const links = entry.links ?? [];
  return {
    id: entry.id ?? null,
    title: entry.title?.value ?? null,
    link: (links.find(({ rel }) => rel === undefined || rel === 'alternate') ?? links[0])?.href ?? null,
    publishedAt: isoTime(entry.published ?? entry.updated),
    author: entry.authors?.[0]?.name ?? null,
    summary: entry.summary?.value ?? null,
    content: entry.content?.value ?? null,
    categories: (entry.categories ?? []).flatMap(({ term }) => term ?? []),
  };
}

function isoTime(text: string | undefined): string | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
