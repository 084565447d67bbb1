import { useMemo } from 'react';
import { stringify } from 'yaml';
import { YAML_STYLE } from '../../../domain/bundle/folders.ts';
import { CodeMerge } from '../../ui/code/CodeMerge.tsx';
import type { VersionWhole } from './queries/workflows.ts';

/** The difference between two definitions, as the YAML that `perdure pull` writes. */
export function DefinitionText({ label, from, to }: { label: string; from: VersionWhole; to: VersionWhole }) {
  const texts = useMemo(() => [from, to].map(yamlOf), [from, to]);
  return <CodeMerge label={label} from={texts[0] ?? ''} to={texts[1] ?? ''} />;
}

function yamlOf({ triggerNode: trigger, nodes, edges, output, labels, notes = [] }: VersionWhole): string {
  const given = {
    ...(Object.keys(labels ?? {}).length > 0 ? { labels } : {}),
    ...(notes.length > 0 ? { notes } : {}),
  };
  return stringify({ trigger, nodes, edges, ...(output == null ? {} : { output }), ...given }, YAML_STYLE);
}
