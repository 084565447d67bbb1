import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readOpenApi } from '../../api/openapi.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';

// Every documented request is an operation of the contract with valid query parameters: a wrong line costs most in an
// incident, when the runbook is needed.

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
}
interface Contract {
  paths: Record<string, Record<string, { parameters?: Parameter[]; 'x-permission'?: string[] }>>;
  components: { parameters: Record<string, Parameter> };
}
interface Asked {
  where: string;
  method: string;
  /** Absolute, or beginning with `…`. */
  path: string;
  query: string[];
}

const { paths, components } = readOpenApi() as unknown as Contract;
const pages = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: PROJECT_ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(PROJECT_ROOT, file)));

/** `GET /api/executions?filterBy=…`, `POST …/cancel`, even across a line break. */
const REQUEST = /\b(GET|POST|PUT|PATCH|DELETE)\s+["'`]?((?:…)?\/[^\s`"'|,;)]+)/g;

const asked: Asked[] = pages.flatMap((page) => {
  const text = readFileSync(join(PROJECT_ROOT, page), 'utf8');
  return [...text.matchAll(REQUEST)].flatMap(([whole, method = '', target = '']) => {
    const [path = '', query = ''] = target.split('?');
    // Other requests go to other servers: a receiver of events, the metrics of a process.
    if (!path.startsWith('/api/') && !path.startsWith('…')) return [];
    const names = query.split('&').flatMap((pair) => (pair === '' ? [] : [pair.split('=')[0] as string]));
    return [{ where: `${page}: ${whole}`, method: method.toLowerCase(), path, query: names }];
  });
});

const isOpen = (segment: string) => /[{$…]/.test(segment);

/** Variable segments of a page match variable segments of the contract. */
function fits(path: string, template: string): boolean {
  const own = path.split('/');
  let theirs = template.split('/');
  if (own[0] === '…') {
    own.shift();
    theirs = theirs.slice(-own.length);
  }
  if (own.length !== theirs.length) return false;
  return own.every((segment, index) => {
    const other = theirs[index] as string;
    return isOpen(other) ? true : segment === other;
  });
}

const operationsOf = ({ method, path }: Asked) =>
  Object.entries(paths).flatMap(([template, methods]) => {
    const operation = methods[method];
    return operation && fits(path, template) ? [operation] : [];
  });

const parametersOf = (operation: { parameters?: Parameter[] }) =>
  (operation.parameters ?? []).map(({ $ref, ...own }) =>
    $ref === undefined ? own : (components.parameters[$ref.split('/').at(-1) as string] as Parameter),
  );

test('each request that a page names is an operation', () => {
  expect(asked.length).toBeGreaterThan(80);
  expect(asked.filter((each) => operationsOf(each).length === 0).map(({ where }) => where)).toEqual([]);
});

test('the runbook names each permission that its requests need', () => {
  const page = 'docs/runbook.md';
  const text = readFileSync(join(PROJECT_ROOT, page), 'utf8');
  const [, ofKey = ''] = /--name on-call --permissions (\S+)/.exec(text) ?? [];
  expect(ofKey.split(',')).toContain('executions:read');
  const needs = asked
    .filter(({ where }) => where.startsWith(page))
    .flatMap((each) =>
      operationsOf(each).map((operation) => ({ where: each.where, any: operation['x-permission'] ?? [] })),
    );
  const named = [...ofKey.split(','), ...[...text.matchAll(/`([a-z]+:[a-z]+)`/g)].map(([, permission]) => permission)];
  expect(needs.length).toBeGreaterThan(5);
  expect(needs.filter(({ any }) => any.length > 0 && !any.some((one) => named.includes(one)))).toEqual([]);
});

test('each query parameter that a page names is one of its operation', () => {
  const unknown = asked.flatMap((each) =>
    each.query
      // Names of attributes belong to the workspace's types.
      .filter((name) => !name.startsWith('attributes.'))
      .filter(
        (name) =>
          !operationsOf(each).some((operation) =>
            parametersOf(operation).some((parameter) => parameter.in === 'query' && parameter.name === name),
          ),
      )
      .map((name) => `${each.where}: ${name}`),
  );
  expect(asked.filter(({ query }) => query.length > 0).length).toBeGreaterThan(10);
  expect(unknown).toEqual([]);
});
