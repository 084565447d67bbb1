import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

export interface StrengthTask {
  texts: readonly string[];
  known: readonly string[];
}

export interface Strength {
  score: number;
  advice: string;
}

/** Letters written as digits: each further variant costs a search and hardly changes the score. */
const MAX_SUBSTITUTIONS = 10;

const judge = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  translations: english.translations,
  l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
});

parentPort?.on('message', ({ texts, known }: StrengthTask) => {
  const judged = texts.map((text) => judge.check(text, [...known])).sort((a, b) => b.score - a.score);
  const [best] = judged;
  const { warning = null, suggestions = [] } = best?.feedback ?? {};
  const advice = [warning, ...suggestions].filter((sentence) => sentence !== null && sentence !== '').join(' ');
  parentPort?.postMessage({ score: best?.score ?? 0, advice } satisfies Strength);
});
