import { useCallback, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { copyText } from '../../../ui/CopyText.tsx';
import { isPlaced } from '../../../ui/graph/graphShape.ts';
import { loadLayout } from '../../../ui/graph/loadLayout.ts';
import { done, failed } from '../../../ui/notices.tsx';
import type { useDraft } from '../draft/useDraft.ts';
import { type Clip, clipOf, withClip } from '../model/copies.ts';
import { joiningNode, nodeOf, withoutNodes, withRenamedNode } from '../model/graphChanges.ts';
import { labelOf } from '../model/inputSpecs.ts';
import { loadYaml } from '../model/loadYaml.ts';
import { type PaletteEntry, type Spot, spotOf, withNode, withNodeOnEdge } from '../model/palette.ts';
import { isWithin, type PlacedProblem } from '../model/placedProblems.ts';
import { withPlaceOfNew, withPlaces } from '../model/places.ts';
import type { Panels } from '../panels/usePanels.ts';
import { EDITOR } from '../words.ts';
import type { Drop } from './drop.ts';
import { type CodeSpot, useFieldFocus } from './useFieldFocus.ts';
import { clipText, useNodeClipboard } from './useNodeClipboard.ts';
import type { Shown } from './useNodeInSight.ts';

interface Given {
  isNew: boolean;
  editing: ReturnType<typeof useDraft>;
  panels: Panels;
  isReadOnly: boolean;
  first: string | undefined;
  onNode: (id: string | undefined) => void;
}

export function useGraphActions({ editing, panels, isNew, isReadOnly, first, onNode }: Given) {
  const { draft, changeDefinition } = editing;
  const { definition, orientation } = draft;
  const isVertical = orientation === 'vertical';
  const [picked, setPicked] = useState<readonly string[]>(first === undefined ? [] : [first]);
  const [target, setTarget] = useState<Spot>();
  const [shown, setShown] = useState<Shown>();
  const search = useRef<HTMLInputElement>(null);
  const finder = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLElement>(null);
  const keys = useRef(new FormKeys());
  const fresh = useFresh(isNew && first === undefined);
  const freshest = useRef(fresh);
  freshest.current = fresh;
  const note = useRef(onNode);
  note.current = onNode;

  // Nodes that undo or the code removed are no longer selected.
  const chosen = useMemo(
    () => picked.filter((id) => id === TRIGGER_ID || nodeOf(definition, id) !== undefined),
    [picked, definition],
  );
  const { show: showPanel, leaveNode } = panels;
  const choose = useCallback(
    (ids: readonly string[]) => {
      setPicked(ids);
      setTarget(undefined);
      freshest.current.follow(ids);
      if (ids.length === 0) leaveNode();
      else showPanel('form');
      note.current(ids.length === 1 ? ids[0] : undefined);
    },
    [showPanel, leaveNode],
  );

  const { focusField } = useFieldFocus(form);

  const spot = target ?? spotOf(definition, chosen.length === 1 ? chosen[0] : undefined);
  const focusPalette = useCallback(() => {
    // Renders a closed palette at once, because only then it can take the focus.
    flushSync(() => showPanel('palette'));
    search.current?.focus();
  }, [showPanel]);
  const focusFinder = useCallback(() => finder.current?.focus(), []);
  const show = (id: string, isLegible = false) => setShown({ id, at: Date.now(), isLegible });
  const bring = (id: string) => {
    choose([id]);
    show(id);
  };
  const added = (id: string) => {
    bring(id);
    fresh.begin(id);
  };
  const reveal = (id: string) => {
    choose([id]);
    show(id, true);
  };
  const add = (entry: PaletteEntry) => {
    if (isReadOnly) return;
    const made = withNode(definition, entry.node, entry.wish, spot);
    changeDefinition(() => withPlaceOfNew(made.definition, definition, made.id, isVertical));
    added(made.id);
  };
  const addAt = (entry: PaletteEntry, { at, on, inside, places }: Drop) => {
    if (isReadOnly) return;
    const between = on && withNodeOnEdge(definition, entry.node, entry.wish, on);
    if (between !== undefined) {
      const { definition: made, id } = between;
      changeDefinition(() => (isPlaced(definition.nodes) ? withPlaces(made, places, new Map([[id, at]])) : made));
      return added(id);
    }
    const where: Spot = inside === undefined ? spotOf(definition, undefined) : { inside };
    const isFree = inside !== undefined || definition.nodes.length === 0;
    const made = withNode(definition, entry.node, entry.wish, where);
    // A node dropped at a free position is not connected.
    const edges = isFree ? made.definition.edges : definition.edges;
    changeDefinition(() => withPlaces({ ...made.definition, edges }, places, new Map([[made.id, at]])));
    added(made.id);
  };
  const remove = () => {
    const gone = chosen.filter((id) => id !== TRIGGER_ID);
    if (isReadOnly || gone.length === 0) return;
    const before = definition.edges.find(({ target: to }) => to === gone[0])?.source;
    const joining = joiningNode(definition, gone);
    changeDefinition((now) => withoutNodes(now, gone));
    if (joining !== undefined) done(EDITOR.joined(labelOf(joining)));
    if (before !== undefined && before !== TRIGGER_ID) bring(before);
    else choose([]);
  };
  const clip = (): Clip | undefined => {
    const copied = chosen.filter((id) => id !== TRIGGER_ID);
    return copied.length === 0 ? undefined : clipOf(definition, copied);
  };
  const newest = useRef(definition);
  newest.current = definition;
  const paste = async (pasted: Clip) => {
    const layOut = await loadLayout();
    const made = withClip(newest.current, pasted, isVertical, layOut);
    changeDefinition(() => made.definition);
    choose(made.ids);
    const [one] = made.ids;
    if (one !== undefined) show(one);
  };
  const duplicate = () => {
    const copied = clip();
    if (!isReadOnly && copied !== undefined) take(copied);
  };
  const take = (pasted: Clip) => void paste(pasted).catch(failed);
  const pasteNow = useNodeClipboard({
    ...{ clip, remove, paste: isReadOnly ? undefined : take },
    onNothing: () => failed(new Error(EDITOR.notNodes)),
    onClosed: () => failed(new Error(EDITOR.clipboardClosed)),
  });
  const copy = async () => {
    const copied = clip();
    if (copied === undefined) return;
    const yaml = await loadYaml();
    await copyText(clipText(yaml, copied)).then(() => done(EDITOR.copiedNodes(copied.nodes.length)), failed);
  };
  const showField = useCallback(
    (node: string | undefined, field: string, spot?: CodeSpot | undefined) => {
      choose(node === undefined ? [] : [node]);
      showPanel('form');
      focusField(field, spot);
    },
    [choose, showPanel, focusField],
  );
  const renameNode = useCallback(
    (from: string, to: string, about?: string) => {
      keys.current.rename(from, to);
      freshest.current.rename(from, to);
      changeDefinition((now) => withRenamedNode(now, from, to), about);
      choose([to]);
    },
    [choose, changeDefinition],
  );
  const formKey = (id: string) => keys.current.of(id);
  const addTo = (where: Spot) => {
    setTarget(where);
    focusPalette();
  };
  const leaveForm = () => {
    const [id] = chosen;
    if (id !== undefined) show(id);
  };
  return {
    ...{ chosen, choose, shown, spot, search, finder, form, fresh, pasteNow },
    ...{
      add,
      addAt,
      addTo,
      remove,
      copy,
      duplicate,
      showField,
      focusField,
      focusPalette,
      focusFinder,
      reveal,
      leaveForm,
      renameNode,
      formKey,
    },
  };
}

export type GraphActions = ReturnType<typeof useGraphActions>;

interface Fresh {
  /** Undefined: the workflow itself. */
  node: string | undefined;
  /** Fields that the user has left. */
  left: readonly string[];
}

/**
 * Tracks the form that was just started. Its missing values are reported per field once the field was left, and all
 * together after a save, a look at the problems, or a change of form.
 */
function useFresh(isNew: boolean) {
  const [fresh, setFresh] = useState<Fresh | undefined>(isNew ? { node: undefined, left: [] } : undefined);
  const at = useRef<string>(undefined);
  return useMemo(
    () => ({
      begin: (node: string | undefined) => {
        at.current = undefined;
        setFresh({ node, left: [] });
      },
      end: () => setFresh(undefined),
      follow: ([first, ...others]: readonly string[]) =>
        setFresh((now) => (now?.node === first && others.length === 0 ? now : undefined)),
      rename: (from: string, to: string) => setFresh((now) => (now?.node === from ? { ...now, node: to } : now)),
      enter: (field: string | undefined) => {
        const before = at.current;
        if (field === undefined || field === before) return;
        at.current = field;
        if (before !== undefined) setFresh((now) => now && { ...now, left: [...now.left, before] });
      },
      spoken: (problems: readonly PlacedProblem[]) => problems.filter((one) => isSpoken(one, fresh)),
    }),
    [fresh],
  );
}

function isSpoken({ isLack, node, field }: PlacedProblem, fresh: Fresh | undefined): boolean {
  if (!isLack || fresh === undefined || fresh.node !== node) return true;
  return fresh.left.some((left) => isWithin(left, field) || isWithin(field, left));
}

/** Keys of node forms. A key survives a new node id, so that the form and its focus survive, too. */
class FormKeys {
  readonly #keys = new Map<string, number>();
  #last = 0;

  of(id: string): number {
    const key = this.#keys.get(id);
    if (key !== undefined) return key;
    this.#last += 1;
    this.#keys.set(id, this.#last);
    return this.#last;
  }

  rename(from: string, to: string): void {
    const key = this.of(from);
    this.#keys.delete(from);
    this.#keys.set(to, key);
  }
}
