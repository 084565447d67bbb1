import { describe, expect, test } from '@jest/globals';
import { askedDimensions, chooseEmbedding, type EmbeddingRequest, LOCAL_EMBEDDING } from './embedding.ts';
import { fuseRanks } from './fuseRanks.ts';

const SMALL = 'text-embedding-3-small';
const choose = (asked: EmbeddingRequest, more = {}) => chooseEmbedding(asked, { model: SMALL, hasKey: true, ...more });

describe('the embedding of a base', () => {
  test.each([
    [{}, {}, ['openai', SMALL, 1_536]],
    [{}, { hasKey: false }, ['local', LOCAL_EMBEDDING.embeddingModel, 512]],
    [{}, { provider: 'local' }, ['local', LOCAL_EMBEDDING.embeddingModel, 512]],
    [{}, { model: 'own', dimensions: 7 }, ['openai', 'own', 7]],
    [{ embeddingModel: 'text-embedding-3-large' }, {}, ['openai', 'text-embedding-3-large', 3_072]],
    [{ embeddingModel: 'other', dimensions: 9 }, { dimensions: 7 }, ['openai', 'other', 9]],
    [{ dimensions: 256 }, {}, ['openai', SMALL, 256]],
  ] as const)('%j with %j is %j', (asked, more, [embeddingProvider, embeddingModel, dimensions]) => {
    expect(choose(asked, more)).toEqual({ embeddingProvider, embeddingModel, dimensions });
  });

  test.each([
    [{ embeddingProvider: 'openai' }, { hasKey: false }, 'embeddingProvider'],
    [{ embeddingModel: 'other' }, { dimensions: 7 }, 'dimensions'],
    [{ dimensions: 1_537 }, {}, 'dimensions'],
    [{ embeddingModel: 'text-embedding-ada-002', dimensions: 256 }, {}, 'dimensions'],
    [{ embeddingProvider: 'local', embeddingModel: SMALL }, {}, 'embeddingModel'],
    [{ embeddingProvider: 'local', dimensions: 384 }, {}, 'dimensions'],
  ] as const)('%j with %j is wrong in %s', (asked, more, path) => {
    expect(choose(asked, more)).toMatchObject({ path });
  });

  test('only models that are known to shorten are asked to', () => {
    const of = (embeddingModel: string, dimensions: number) =>
      askedDimensions({ embeddingProvider: 'openai', embeddingModel, dimensions });
    expect([of(SMALL, 256), of(SMALL, 1_536), of('own', 7)]).toEqual([256, undefined, undefined]);
  });
});

describe('several rankings as one', () => {
  test('a part with a high rank in both lists comes first, and the first of both has score 1', () => {
    expect(
      fuseRanks([
        ['a', 'b', 'c'],
        ['b', 'd'],
      ]).map(({ id }) => id),
    ).toEqual(['b', 'a', 'd', 'c']);
    expect(fuseRanks([['a'], ['a']])).toEqual([{ id: 'a', score: 1 }]);
    expect(fuseRanks([['a'], []])).toEqual([{ id: 'a', score: 0.5 }]);
  });
});
