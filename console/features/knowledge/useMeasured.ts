import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { metadataFilter } from '../entities/metadataFilter.ts';
import { SEARCH_MODES, type SearchMode, searchKnowledge } from './queries.ts';
import { nameOf, type SavedQuestion } from './savedQuestions.ts';

/** Documents of the first hits, in order, for each search mode. */
export type Measured = Record<SearchMode, string[]>;

/** Runs saved questions in all search modes, one question at a time. The first `k` hits of each count. */
export function useMeasured(knowledgeId: string, k: number) {
  const [found, setFound] = useState<{ k: number; byName: ReadonlyMap<string, Measured> }>();
  const [isByWords, setByWords] = useState(false);
  const stopped = useRef<AbortController>(undefined);
  useEffect(() => () => stopped.current?.abort(), []);
  const measure = useMutation({
    mutationFn: async (questions: readonly SavedQuestion[]) => {
      const aborted = new AbortController();
      stopped.current = aborted;
      const { signal } = aborted;
      const byName = new Map<string, Measured>();
      setFound({ k, byName });
      setByWords(false);
      for (const one of questions) {
        if (signal.aborted) return;
        const filter = metadataFilter(one.filter) ?? {};
        const answers = await Promise.all(
          SEARCH_MODES.map((mode) =>
            searchKnowledge(knowledgeId, { query: one.question, limit: k, mode, filter }, signal),
          ),
        ).catch((error: unknown) => {
          // The user stopped the run: keep the results so far.
          if (signal.aborted) return undefined;
          throw error;
        });
        if (answers === undefined) return;
        if (answers.some(({ embeddingFailure }) => embeddingFailure !== undefined)) setByWords(true);
        const documents = answers.map(({ results }) => results.map(({ groupId }) => groupId));
        byName.set(nameOf(one), Object.fromEntries(SEARCH_MODES.map((mode, at) => [mode, documents[at]])) as Measured);
        setFound({ k, byName: new Map(byName) });
      }
    },
  });
  // Results for another number of hits do not apply.
  const byName = found?.k === k ? found.byName : undefined;
  return { measure, byName, isByWords, stop: () => stopped.current?.abort() };
}
