import { useCallback, useMemo, useState } from 'react';
import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import { changed, type Draft, everywhere, historyOf, isSameDraft, redone, undone } from '../model/draft.ts';
import { nodeOf, withChangedNode } from '../model/graphChanges.ts';

/** Applies the stored slug and project, which identify a workflow after its first save. */
const calledAs = (draft: Draft, { slug, projectId }: Draft): Draft =>
  draft.slug === slug && draft.projectId === projectId ? draft : { ...draft, slug, projectId };

export function useDraft(initial: Draft, isReadOnly: boolean) {
  const [history, setHistory] = useState(() => historyOf(initial));
  const [replaced, setReplaced] = useState(0);
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
  const replace = useCallback(
    (draft: Draft) => {
      change(() => draft);
      setReplaced((count) => count + 1);
    },
    [change],
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
      ...{ replaced, change, changeDefinition, changeNode, replace, undo, redo, settle },
    }),
    [history, replaced, change, changeDefinition, changeNode, replace, undo, redo, settle],
  );
}
