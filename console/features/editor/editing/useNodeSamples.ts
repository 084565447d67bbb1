import { useEffect, useMemo, useRef, useState } from 'react';
import type { Json } from '../../../../domain/json.ts';
import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import { useStoredRows } from '../../../app/lists/useStoredRows.ts';
import { browserTexts } from '../../../app/storage/browserStorage.ts';
import {
  dropOldSamples,
  followed,
  type NodeSample,
  type Refusal,
  refusalOf,
  SAMPLES,
  samplesOf,
  withoutSecrets,
  withSample,
} from './keptSamples.ts';

const NONE: readonly NodeSample[] = [];

export interface NodeSamples {
  values: Readonly<Record<string, Json>>;
  /** Returns undefined if the sample was kept. */
  keep: (id: string, value: Json) => Refusal | undefined;
  remove: (id: string) => void;
  removeAll: () => void;
}

/**
 * Returns the user's samples of a workflow from this browser. Before the first save, they exist in this tab only.
 * The samples follow renamed and removed nodes. `values` and the functions are stable while no sample changes.
 */
export function useNodeSamples(workflowId: string | undefined, definition: Definition): NodeSamples {
  const kept = useStoredRows(SAMPLES, workflowId ?? '');
  const [unsaved, setUnsaved] = useState(NONE);
  const rows = workflowId === undefined ? unsaved : (kept?.rows ?? NONE);
  const put = (next: readonly NodeSample[]): Refusal | undefined => {
    if (workflowId === undefined) {
      setUnsaved(next);
      return undefined;
    }
    try {
      kept?.keep(next);
      return undefined;
    } catch (error) {
      if (error instanceof DOMException) return { of: 'full' };
      throw error;
    }
  };
  const newest = useRef({ rows, definition, kept, put });
  newest.current = { rows, definition, kept, put };

  useEffect(() => dropOldSamples(browserTexts()), []);
  const isKnown = workflowId !== undefined && kept !== undefined;
  useEffect(() => {
    if (!isKnown || unsaved.length === 0) return;
    // Without room in the browser the samples are lost, which must not interrupt the work.
    newest.current.put(unsaved);
    setUnsaved(NONE);
  }, [isKnown, unsaved]);

  const { nodes } = definition;
  const before = useRef(nodes);
  const [gone] = useState(() => new WeakMap<Node, NodeSample>());
  useEffect(() => {
    const next = followed(newest.current.rows, before.current, nodes, gone);
    before.current = nodes;
    // If the browser has no room, the sample stays under its old id.
    if (next !== newest.current.rows) newest.current.put(next);
  }, [nodes, gone]);

  const ids = nodes.map(({ id }) => id).join('\n');
  return useMemo(() => {
    const without = (isGone: (sample: NodeSample) => boolean) =>
      void newest.current.put(newest.current.rows.filter((sample) => !isGone(sample)));
    return {
      values: samplesOf(rows, newest.current.definition.nodes),
      keep: (id: string, value: Json) => {
        const { rows: now, definition: as, kept: place, put: write } = newest.current;
        const sample = { id, value: withoutSecrets(value, id, as), at: Date.now() };
        const next = withSample(now, sample);
        return refusalOf(browserTexts(), place?.key, next, sample) ?? write(next);
      },
      remove: (id: string) => without((sample) => sample.id === id),
      removeAll: () => without(() => true),
    };
  }, [rows, ids]);
}
