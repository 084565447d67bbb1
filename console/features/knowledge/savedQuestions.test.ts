import { describe, expect, test } from '@jest/globals';
import { meanOf, rankOf, readQuestions, recallOf, type SavedQuestion, withQuestion } from './savedQuestions.ts';

const REFUND: SavedQuestion = {
  question: 'When do I get my money back?',
  filter: '',
  expected: [
    { groupId: 'refunds', name: 'Refunds' },
    { groupId: 'returns', name: 'Returns' },
  ],
};

describe('saved questions', () => {
  test('are kept once by question and filter, and what something else has written is left out', () => {
    const parking: SavedQuestion = { ...REFUND, question: 'Where do I park?' };
    const again = { ...REFUND, expected: REFUND.expected.slice(1) };
    expect(withQuestion([REFUND, parking], again)).toEqual([again, parking]);
    expect(withQuestion([REFUND], { ...REFUND, filter: 'year=2026' })).toHaveLength(2);
    const wrong = [null, { question: 'No document?', filter: '', expected: [] }, { ...REFUND, filter: 7 }];
    expect(readQuestions(JSON.stringify([...wrong, REFUND]))).toEqual([REFUND]);
    expect(readQuestions('no JSON')).toEqual([]);
    expect(readQuestions(null)).toEqual([]);
  });

  test('count how many of their documents are found, and the rank of the first', () => {
    expect(recallOf(REFUND, ['parking', 'refunds', 'refunds'])).toBe(0.5);
    expect(recallOf(REFUND, ['returns', 'refunds'])).toBe(1);
    expect(rankOf(REFUND, ['parking', 'refunds', 'returns'])).toBe(2);
    expect([recallOf(REFUND, ['parking']), rankOf(REFUND, ['parking'])]).toEqual([0, undefined]);
    expect([meanOf([1, 0.5, 0]), meanOf([])]).toEqual([0.5, undefined]);
  });
});
