import { createContext, type ReactNode, useContext } from 'react';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import type { Draft } from '../model/draft.ts';
import type { PlacedProblem } from '../model/problemPlace.ts';
import type { Sample } from '../model/scopeOf.ts';
import type { NodeSamples } from './useNodeSamples.ts';

/** What the parts of the editor share. */
export interface Editing {
  draft: Draft;
  /** The workflow that is edited; undefined for a new one. */
  workflowId: string | undefined;
  /** Ids of the nodes that the server knows. */
  savedNodes: ReadonlySet<string>;
  isReadOnly: boolean;
  apps: readonly AppManifest[];
  problems: readonly PlacedProblem[];
  /** What expressions are shown with: the chosen execution, with the samples of nodes in place of what it has. */
  sample: Sample | undefined;
  samples: NodeSamples;
  /** Whether there is an execution to choose as sample; undefined where that is not known. */
  hasRun: boolean | undefined;
  /** `about`: changes about the same in a row are one to undo; empty for one of its own. */
  change: (update: (draft: Draft) => Draft, about?: string) => void;
  changeDefinition: (update: (definition: Definition) => Definition, about?: string) => void;
  changeNode: (id: string, update: (node: Node) => Node, about?: string) => void;
  choose: (ids: readonly string[]) => void;
  /** The form of this node, or the trigger, is begun: what it lacks is said by and by. */
  begin: (node: string) => void;
  /** Gives a node another id, wherever it is named, and leaves its form as it is. `about`: as of `change`. */
  renameNode: (from: string, to: string, about?: string) => void;
}

const Context = createContext<Editing | undefined>(undefined);

export function EditingProvider({ value, children }: { value: Editing; children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

/** Whether nothing may be changed; false in a form that stands elsewhere. */
export const useIsReadOnly = (): boolean => useContext(Context)?.isReadOnly ?? false;

export function useEditing(): Editing {
  const editing = useContext(Context);
  if (editing === undefined) throw new Error('this part stands in the editor');
  return editing;
}
