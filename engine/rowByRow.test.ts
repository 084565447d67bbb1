import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { EngineAway } from './engineAway.ts';
import { rowByRow } from './rowByRow.ts';

const ROWS = ['a', 'b', 'c', 'd', 'e'].map((executionId) => ({ executionId }));

async function acted(failing: Record<string, Error>) {
  const logged: string[] = [];
  const into = new Writable({
    write(line, _, done) {
      logged.push(JSON.parse(String(line)).executionId);
      done();
    },
  });
  const tried: string[] = [];
  const outcome = await rowByRow(pino(into), ROWS, async ({ executionId }) => {
    tried.push(executionId);
    const error = failing[executionId];
    if (error) throw error;
  }).catch((error: unknown) => error);
  return { outcome, tried, logged };
}

test('each row has its turn', async () => {
  expect(await acted({})).toEqual({ outcome: true, tried: ['a', 'b', 'c', 'd', 'e'], logged: [] });
});

test('a row that fails is logged and holds up no other', async () => {
  const failing = { a: new Error('broken'), c: new Error('broken too') };
  expect(await acted(failing)).toEqual({ outcome: false, tried: ['a', 'b', 'c', 'd', 'e'], logged: ['a', 'c'] });
});

const away = new EngineAway(new Error('gone'));

test('while the database is away, the rest is left for later', async () => {
  const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  expect(await acted({ b: gone })).toEqual({ outcome: gone, tried: ['a', 'b'], logged: [] });
});

test('three in a row without an answer of the engine: it is away, and the rest is left for later', async () => {
  expect(await acted({ b: away, c: away, d: away })).toEqual({
    ...{ outcome: away, tried: ['a', 'b', 'c', 'd'], logged: ['b', 'c'] },
  });
});

test('the engine may say nothing of one or the other: that holds up no other', async () => {
  const failing = { a: away, b: away, d: away, e: away };
  expect(await acted(failing)).toEqual({
    outcome: false,
    tried: ['a', 'b', 'c', 'd', 'e'],
    logged: ['a', 'b', 'd', 'e'],
  });
});
