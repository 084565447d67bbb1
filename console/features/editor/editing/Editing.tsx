import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import { ReadOnly } from '../../../ui/form/readOnly.ts';
import type { Draft } from '../model/draft.ts';
import { formWords, type PlacedProblem, problemsAt } from '../model/placedProblems.ts';
import type { Sample } from '../model/scopeOf.ts';
import type { Readable } from './completions.ts';
import type { NodeSamples } from './useNodeSamples.ts';

interface Editing {
  draft: Draft;
  /** How often a resumed draft, or what somebody else stored, has replaced the whole draft. */
  replaced: number;
  workflowId: string | undefined;
  /** Ids of the nodes that are stored on the server. */
  savedNodes: ReadonlySet<string>;
  isReadOnly: boolean;
  apps: readonly AppManifest[];
  problems: readonly PlacedProblem[];
  /** Values for previews: the selected execution, with samples replacing the outputs of nodes. */
  sample: Sample | undefined;
  samples: NodeSamples;
  /** Whether there is an execution to select as sample; undefined until that is known. */
  hasRun: boolean | undefined;
  /** `about`: consecutive changes with the same text are one undo step; an empty text is always a step of its own. */
  change: (update: (draft: Draft) => Draft, about?: string) => void;
  changeDefinition: (update: (definition: Definition) => Definition, about?: string) => void;
  changeNode: (id: string, update: (node: Node) => Node, about?: string) => void;
  choose: (ids: readonly string[]) => void;
  /** Marks the form of this node, or of the trigger, as new, so that its empty fields are reported later. */
  begin: (node: string) => void;
  /** Renames a node and all references to it without replacing its form. `about`: as in `change`. */
  renameNode: (from: string, to: string, about?: string) => void;
}

const Context = createContext<Editing | undefined>(undefined);

export function EditingProvider({ value, children }: { value: Editing; children: ReactNode }) {
  return (
    <Context value={value}>
      <ReadOnly value={value.isReadOnly}>{children}</ReadOnly>
    </Context>
  );
}

export function useEditing(): Editing {
  const editing = useContext(Context);
  if (editing === undefined) throw new Error('this part stands in the editor');
  return editing;
}

interface FormPlace extends Readable {
  /** Id of the node, `trigger`, or undefined for the workflow. */
  node: string | undefined;
  /** The name of the scope for previews; undefined if there are no values to show. */
  scope: string | undefined;
}

const PlaceContext = createContext<FormPlace | undefined>(undefined);

export function FormPlaceProvider({ value, children }: { value: FormPlace; children: ReactNode }) {
  return <PlaceContext value={value}>{children}</PlaceContext>;
}

export function useFormPlace(): FormPlace {
  const place = useContext(PlaceContext);
  if (place === undefined) throw new Error('this field stands in a form of the editor');
  return place;
}

const NONE: readonly PlacedProblem[] = [];

export function useProblem(field: string): string | undefined {
  const { problems } = useEditing();
  const { node } = useFormPlace();
  const own = useMemo(() => problems.filter((one) => one.node === node), [problems, node]) ?? NONE;
  return problemsAt(own, field, formWords);
}
