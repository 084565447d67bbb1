// node generateOperations.mjs <bundled contract, JSON> <target> <target of summaries>, run by prepare.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

function generateOperations(contract, target, targetOfSummaries) {
  const { paths, components } = JSON.parse(readFileSync(contract, 'utf8'));
  const resolve = (thing) =>
    thing.$ref ? components[thing.$ref.split('/').at(-2)][thing.$ref.split('/').at(-1)] : thing;

  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ ...item[method], path, method })),
  );
  const lines = operations.map(({ operationId, path, method, parameters = [], responses, security }) => {
    const isKeyed = parameters.some((each) => resolve(each).name === 'Idempotency-Key');
    const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const isStream = good.some(([, answer]) => 'text/event-stream' in (resolve(answer).content ?? {}));
    const flags = { isKeyed, isStream, isPublic: Array.isArray(security) && security.length === 0 };
    const set = Object.keys(flags).filter((flag) => flags[flag]);
    return `  ${operationId}: { method: '${method.toUpperCase()}', path: '${path}'${set.map((flag) => `, ${flag}: true`).join('')} },`;
  });
  writeFileSync(
    target,
    [
      '// Made by generateOperations.mjs from the contract. Do not edit.',
      "import type { operations } from './contract.ts';",
      '',
      'export interface OperationPlace {',
      '  method: string;',
      '  path: string;',
      '  /** Takes an Idempotency-Key. */',
      '  isKeyed?: true;',
      '  /** Answers server-sent events. */',
      '  isStream?: true;',
      '  /** Needs no credential. */',
      '  isPublic?: true;',
      '}',
      '',
      'export const OPERATIONS: Record<keyof operations, OperationPlace> = {',
      ...lines,
      '};',
      '',
    ].join('\n'),
  );
  writeFileSync(
    targetOfSummaries,
    [
      '// Made by client/generateOperations.mjs from the contract. Do not edit.',
      'export const SUMMARIES: Readonly<Record<string, string>> = {',
      ...operations.map(({ operationId, summary }) => `  ${operationId}: ${JSON.stringify(summary)},`),
      '};',
      '',
    ].join('\n'),
  );
}

generateOperations(...process.argv.slice(2));
