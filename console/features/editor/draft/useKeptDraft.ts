import { useQuery } from '@tanstack/react-query';
import { newIdempotencyKey } from 'perdure-client';
import { useEffect, useRef, useState } from 'react';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import { ME } from '../../../app/api/me.ts';
import { onOtherTab } from '../../../app/storage/browserStorage.ts';
import { personId } from '../../../app/storage/personId.ts';
import { hold, ifLeft, whenLeft } from '../../../app/storage/sharedDraft.ts';
import { type Draft, isSameDraft } from '../model/draft.ts';
import { draftPlace, forget, type KeptDraft, keep, keptKeys, readKept, take } from './keptDraft.ts';

const PAUSE_MS = 400;

export interface FoundDraft extends KeptDraft {
  key: string;
}

/** Keeps unsaved changes in this browser and finds drafts of earlier visits and closed tabs. */
export function useKeptDraft(
  workflowId: string | undefined,
  baseline: { draft: Draft; tag: string },
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
      else keep(own, { draft, etag: baseline.tag, at: Date.now() }, apps);
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
