import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

/** A password, or a part of one, and what is known of its person. */
export interface StrengthTask {
  texts: readonly string[];
  known: readonly string[];
}

export interface Strength {
  /** 0 to 4: how hard it is to guess, of the hardest of the texts. */
  score: number;
  /** What would help, in sentences. */
  advice: string;
}

/** Few of the ways to write a letter as a digit: each costs a search of its own, and the score hardly changes by more. */
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
