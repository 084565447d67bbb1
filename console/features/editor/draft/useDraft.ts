import { useCallback, useMemo, useState } from 'react';
import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import { type Draft, isSameDraft } from '../model/draft.ts';
import { nodeOf, withChangedNode } from '../model/graphChanges.ts';
import { changed, everywhere, historyOf, redone, undone } from '../model/history.ts';

/** A workflow keeps slug and project, by which a save knows it, from its first save on. */
const calledAs = (draft: Draft, { slug, projectId }: Draft): Draft =>
  draft.slug === slug && draft.projectId === projectId ? draft : { ...draft, slug, projectId };

/** The draft with its history, and the ways to change it. Their functions stay the same. */
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
  /** What the server made of a draft that was saved, in its place; nothing to undo. What it is called there stays. */
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
