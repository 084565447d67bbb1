import { z } from 'zod';
import type { Json } from '../../../domain/json.ts';
import { withInputs } from '../checkedInputs.ts';
import { type ActionResult, type Executor, failed, succeeded } from '../executor.ts';
import { type AskGitHub, buildAskGitHub, type GitHubAnswer, type GitHubSettings } from './askGitHub.ts';

/** A name in a path, which must not lead to another path. */
const NAME = z.string().regex(/^(?!\.{1,2}$)[\w.-]+$/, 'expected a name of letters, digits, -, _ and .');
const REPOSITORY = { owner: NAME, repo: NAME };
const NUMBER = z.int().min(1);
const NAMES = z.array(z.string().min(1)).optional();

const PER_PAGE = 100;
const MAX_ISSUES = 1_000;

const LOGIN = z.object({ login: z.string() });
const ISSUE = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])).default([]),
  assignees: z.array(LOGIN).default([]),
  user: LOGIN.nullish(),
  html_url: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  pull_request: z.unknown().optional(),
});
const COMMENT = z.object({ id: z.int(), html_url: z.string(), created_at: z.string() });

export function buildGitHub(settings: GitHubSettings): Record<string, Executor> {
  const ask = buildAskGitHub(settings);
  return {
    createIssue: createIssue(ask),
    updateIssue: updateIssue(ask),
    comment: comment(ask),
    listIssues: listIssues(ask),
  };
}

function createIssue(ask: AskGitHub): Executor {
  return withInputs(
    { ...REPOSITORY, title: z.string().min(1), body: z.string().default(''), labels: NAMES, assignees: NAMES },
    async ({ owner, repo, ...issue }, call) =>
      answered(await ask(call, { method: 'POST', path: issues(owner, repo), body: given(issue) }), ISSUE, shown),
  );
}

function updateIssue(ask: AskGitHub): Executor {
  return withInputs(
    {
      ...REPOSITORY,
      number: NUMBER,
      title: z.string().min(1).optional(),
      body: z.string().optional(),
      state: z.enum(['open', 'closed']).optional(),
      labels: NAMES,
      assignees: NAMES,
    },
    async ({ owner, repo, number, ...changes }, call) => {
      const path = `${issues(owner, repo)}/${number}`;
      return answered(await ask(call, { method: 'PATCH', path, body: given(changes) }), ISSUE, shown);
    },
  );
}

function comment(ask: AskGitHub): Executor {
  return withInputs(
    { ...REPOSITORY, number: NUMBER, body: z.string().min(1) },
    async ({ owner, repo, number, body }, call) => {
      const path = `${issues(owner, repo)}/${number}/comments`;
      const answer = await ask(call, { method: 'POST', path, body: { body } });
      return answered(answer, COMMENT, ({ id, html_url, created_at }) => ({
        ...{ id, url: html_url, createdAt: created_at },
      }));
    },
  );
}

function listIssues(ask: AskGitHub): Executor {
  return withInputs(
    {
      ...REPOSITORY,
      state: z.enum(['open', 'closed', 'all']).default('open'),
      labels: NAMES,
      since: z.iso.datetime({ offset: true, error: 'expected a time such as 2026-11-21T10:15:30Z' }).optional(),
      most: z.int().min(1).max(MAX_ISSUES).default(100),
    },
    async ({ owner, repo, state, labels, since, most }, call) => {
      const query = {
        ...{ state, sort: 'updated', direction: 'desc', per_page: PER_PAGE },
        ...(labels === undefined ? {} : { labels: labels.join(',') }),
        ...(since === undefined ? {} : { since }),
      };
      const found: Json[] = [];
      for (let page = 1; ; page += 1) {
        call.signal.throwIfAborted();
        const answer = await ask(call, { method: 'GET', path: issues(owner, repo), query: { ...query, page } });
        if (!answer.ok) return answer.result;
        const read = z.array(ISSUE).safeParse(answer.body);
        if (!read.success) return unclear();
        // GitHub's list includes pull requests.
        found.push(...read.data.filter((each) => each.pull_request === undefined).map(shown));
        const isOver = found.length > most;
        if (isOver || !answer.hasNext || found.length === most) {
          return succeeded({ issues: found.slice(0, most), hasMore: isOver || answer.hasNext });
        }
      }
    },
  );
}

function issues(owner: string, repo: string): string {
  return `/repos/${owner}/${repo}/issues`;
}

/** Drops absent members, because null would clear them. */
function given(members: Record<string, Json | undefined>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function answered<T>(answer: GitHubAnswer, schema: z.ZodType<T>, show: (read: T) => Json): ActionResult {
  if (!answer.ok) return answer.result;
  const read = schema.safeParse(answer.body);
  return read.success ? succeeded(show(read.data)) : unclear();
}

function unclear(): ActionResult {
  return failed('GITHUB_UNCLEAR', 'GitHub answered something else than its API says.');
}

function shown(issue: z.output<typeof ISSUE>): Json {
  return {
    number: issue.number,
    title: issue.title,
    body: issue.body ?? '',
    state: issue.state,
    labels: issue.labels.map((label) => (typeof label === 'string' ? label : label.name)),
    assignees: issue.assignees.map(({ login }) => login),
    author: issue.user?.login ?? '',
    url: issue.html_url,
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
  };
}
