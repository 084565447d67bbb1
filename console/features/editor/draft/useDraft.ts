import { useQuery } from '@tanstack/react-query';
import { newIdempotencyKey } from 'perdure-client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import { ME } from '../../../app/api/me.ts';
import { onOtherTab } from '../../../app/storage/browserStorage.ts';
import { personId } from '../../../app/storage/personId.ts';
import { hold, ifLeft, whenLeft } from '../../../app/storage/sharedDraft.ts';
import { failed, noticesAbout } from '../../../ui/notices.tsx';
import { readStored, type StoredWorkflow } from '../editing/queries.ts';
import { changed, type Draft, everywhere, historyOf, isSameDraft, redone, undone } from '../model/draft.ts';
import { nodeOf, withChangedNode } from '../model/graphChanges.ts';
import { type PlacedProblem, placed } from '../model/placedProblems.ts';
import { EDITOR } from '../words.ts';
import { draftPlace, forget, type KeptDraft, keep, keptKeys, readKept, take } from './keptDraft.ts';
import { useSave } from './mutations.ts';

/** Applies the stored slug and project, which identify a workflow after its first save. */
const calledAs = (draft: Draft, { slug, projectId }: Draft): Draft =>
  draft.slug === slug && draft.projectId === projectId ? draft : { ...draft, slug, projectId };

export function useDraft(initial: Draft, isReadOnly: boolean) {
  const [history, setHistory] = useState(() => historyOf(initial));
  const change = useCallback(
    (update: (draft: Draft) => Draft, about = '') => {
      if (!isReadOnly) setHistory((now) => changed(now, update(now.present), about, Date.now()));
    },
    [isReadOnly],
  );
  const changeDefinition = useCallback(
    (update: (definition: Definition) => Definition, about = '') =>
      change((draft) => {
        const definition = update(draft.definition);
        return definition === draft.definition ? draft : { ...draft, definition };
      }, about),
    [change],
  );
  const changeNode = useCallback(
    (id: string, update: (node: Node) => Node, about = '') =>
      changeDefinition((definition) => {
        const node = nodeOf(definition, id);
        return node === undefined ? definition : withChangedNode(definition, id, update(node));
      }, about),
    [changeDefinition],
  );
  const undo = useCallback(() => setHistory(undone), []);
  const redo = useCallback(() => setHistory(redone), []);
  /** Replaces a saved draft with the stored one, without an undo step. Slug and project apply to the whole history. */
  const settle = useCallback(
    (saved: Draft, stored: Draft) =>
      setHistory((now) => {
        const settled = now.present === saved ? { ...now, present: stored, last: undefined } : now;
        return everywhere(settled, (draft) => calledAs(draft, stored), isSameDraft);
      }),
    [],
  );
  return useMemo(
    () => ({
      draft: history.present,
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
      ...{ change, changeDefinition, changeNode, undo, redo, settle },
    }),
    [history, change, changeDefinition, changeNode, undo, redo, settle],
  );
}

const words = EDITOR;

export const SAVING = noticesAbout('saving');

interface Storing {
  stored: StoredWorkflow | undefined;
  initial: Draft;
  apps: readonly AppManifest[];
  editing: Pick<ReturnType<typeof useDraft>, 'draft' | 'change' | 'settle'>;
  isReadOnly: boolean;
  onStored: () => void;
  onMade: ((workflowId: string) => void) | undefined;
  onRefused: (first: PlacedProblem) => void;
  onConflict: () => void;
}

/** Tracks the version the draft is based on, saves it, and keeps unsaved changes in this browser. */
export function useStoring({ stored, initial, apps, editing, isReadOnly, ...on }: Storing) {
  const { draft, change, settle } = editing;
  const [baseline, setBaseline] = useState({
    ...{ id: stored?.id, draft: initial },
    ...{ etag: stored?.etag ?? '', version: stored?.version },
  });
  const workflowId = baseline.id;
  const kept = useKeptDraft(workflowId, baseline, draft, apps);
  const [refused, setRefused] = useState<{ draft: Draft; problems: PlacedProblem[] }>();
  const isMending = refused !== undefined && refused.draft !== draft;
  useEffect(() => {
    if (isMending) SAVING.forget();
  }, [isMending]);
  const saving = useSave(baseline.version);
  const save = (etag: string | undefined = baseline.etag || undefined) => {
    if (isReadOnly || saving.isPending) return;
    saving.mutate(
      { draft, workflowId, etag },
      {
        onError: SAVING.failed,
        onSuccess: (saved) => {
          if (saved === 'conflict') return on.onConflict();
          if ('problems' in saved) {
            const problems = placed(saved.problems, draft.definition);
            setRefused({ draft, problems });
            const [first] = problems;
            if (first !== undefined) on.onRefused(first);
            return SAVING.failed(new Error(words.problems.mustFix));
          }
          const { version, etag: next, id, draft: storedDraft } = saved.stored;
          const said = isSameDraft(draft, baseline.draft) ? words.same : words.sameDefinition;
          SAVING.done((saved.wasSame ? said : words.saved)(version));
          kept.drop();
          setBaseline({ id, draft: storedDraft, etag: next, version });
          settle(draft, storedDraft);
          on.onStored();
          if (workflowId === undefined) on.onMade?.(id);
        },
      },
    );
  };
  return {
    baseline,
    kept,
    /** Why the API rejected the current draft; undefined if it did not. */
    refused: refused?.draft === draft ? refused.problems : undefined,
    isSaving: saving.isPending,
    save: () => save(),
    /** Resumes a found draft. A save asks first if another version was stored since the draft began. */
    restore: async (key: string) => {
      const taken = await kept.take(key);
      if (taken === undefined) throw new Error(words.draftTaken);
      change(() => taken.draft);
      setBaseline((now) => ({ ...now, etag: taken.etag }));
    },
    overwrite: async () => {
      const theirs = await readStored(workflowId ?? '').catch(failed);
      if (theirs !== undefined) save(theirs.etag);
    },
    /** Replaces the draft with the version that somebody else has stored. Returns false if it cannot be read. */
    takeTheirs: async (): Promise<boolean> => {
      const theirs = await readStored(workflowId ?? '').catch(failed);
      if (theirs === undefined) return false;
      const { draft: theirDraft, etag, version } = theirs;
      change(() => theirDraft);
      setBaseline({ id: theirs.id, draft: theirDraft, etag, version });
      return true;
    },
  };
}

const PAUSE_MS = 400;

export interface FoundDraft extends KeptDraft {
  key: string;
}

/** Keeps unsaved changes in this browser and finds drafts of earlier visits and closed tabs. */
function useKeptDraft(
  workflowId: string | undefined,
  baseline: { draft: Draft; etag: string },
  draft: Draft,
  apps: readonly AppManifest[],
) {
  const { data: me } = useQuery(ME);
  const place = me === undefined ? undefined : draftPlace(personId(me), me.workspace.id, workflowId);
  // A draft that is taken over gets a new name; the earlier draft keeps its own.
  const [name, setName] = useState(newIdempotencyKey);
  const own = place === undefined ? undefined : place + name;
  const [found, setFound] = useState<readonly FoundDraft[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // After the first change here, drafts that other tabs leave later are not offered.
  const [mayFind, setMayFind] = useState(true);
  if (mayFind && !isSameDraft(draft, baseline.draft)) setMayFind(false);
  useEffect(() => (own === undefined ? undefined : hold(own)), [own]);
  useEffect(() => {
    if (place === undefined || !mayFind) return;
    const ended = new AbortController();
    for (const key of keptKeys(place)) {
      whenLeft(key, ended.signal, () => {
        const kept = readKept(key);
        if (kept === undefined || isSameDraft(kept.draft, baseline.draft)) return;
        setFound((now) => [...now, { ...kept, key }].sort((one, other) => other.at - one.at));
      });
    }
    return () => ended.abort();
  }, [place, mayFind]);
  const without = (key: string) => setFound((now) => now.filter((one) => one.key !== key));
  useEffect(
    () =>
      onOtherTab(({ key, newValue }) => {
        if (key !== null && newValue === null) without(key);
      }),
    [],
  );
  useEffect(() => {
    if (own === undefined) return;
    timer.current = setTimeout(() => {
      if (isSameDraft(draft, baseline.draft)) forget(own);
      else keep(own, { draft, etag: baseline.etag, at: Date.now() }, apps);
    }, PAUSE_MS);
    return () => clearTimeout(timer.current);
  }, [own, draft, baseline, apps]);
  return {
    /** Only drafts of this workflow: a new workflow that was saved no longer uses the old prefix. */
    found: found.filter(({ key }) => place !== undefined && key.startsWith(place)),
    /** Resumes a draft in this tab; undefined if another tab was faster. */
    take: async (key: string): Promise<KeptDraft | undefined> => {
      if (place === undefined) return undefined;
      const next = newIdempotencyKey();
      const taken = await ifLeft(key, () => take(key, place + next));
      without(key);
      if (taken === undefined) return undefined;
      setName(next);
      setFound([]);
      return taken;
    },
    discard: (key: string) => {
      forget(key);
      without(key);
    },
    drop: () => {
      clearTimeout(timer.current);
      if (own !== undefined) forget(own);
    },
  };
}
