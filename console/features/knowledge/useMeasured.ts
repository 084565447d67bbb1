import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { metadataFilter } from '../entities/metadataFilter.ts';
import { SEARCH_MODES, type SearchMode, searchKnowledge } from './queries.ts';
import { nameOf, type SavedQuestion } from './savedQuestions.ts';

/** The documents of the first hits, in their order, for each way of comparing. */
export type Measured = Record<SearchMode, string[]>;

/** Asks saved questions in all ways of comparing, one question after the other; `k` hits of each count. */
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
          // Stopped by the person: what was found until then stands.
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
  // Of another number of hits it says nothing.
  const byName = found?.k === k ? found.byName : undefined;
  return { measure, byName, isByWords, stop: () => stopped.current?.abort() };
}
