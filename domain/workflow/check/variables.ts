import type { Json } from '../../json.ts';
import { pathTo } from '../../place.ts';
import type { Severity } from '../checkCodes.ts';
import { checkExpressions, type PlacedReferences } from '../expressionProblems.ts';
import type { PlacedNode } from '../nodeShape.ts';
import type { Problems } from '../problems.ts';

export interface KnownVariables {
  names: ReadonlySet<string>;
  /** A warning if there may be others, which the caller cannot see. */
  severity: Severity;
}

/** Reports variables that do not exist. One that an expression looks for is the author's to know. */
export function checkVariables(
  { nodes, output }: { nodes: readonly PlacedNode[]; output: Json | undefined },
  { names, severity }: KnownVariables,
  problems: Problems,
): void {
  const sought = soughtIn([...nodes.map(({ node }) => node.inputs ?? null), output ?? null]);
  const silent = () => undefined;
  const report = (found: readonly PlacedReferences[], more: { nodeId?: string }) => {
    for (const { path, references } of found) {
      for (const name of namedIn(references)) {
        if (names.has(name) || sought.has(name)) continue;
        const message = `there is no variable ${name}${severity === 'warning' ? ' in these files' : ''}`;
        problems.report({ path, message, ...more, code: 'UNKNOWN_VARIABLE', severity });
      }
    }
  };
  for (const { node, path } of nodes) {
    report(checkExpressions(node.inputs ?? {}, pathTo(path, 'inputs'), silent), { nodeId: node.id });
  }
  if (output !== undefined) report(checkExpressions(output, 'output', silent), {});
}

/** Reads without `.?` and `has()`. */
function namedIn({ paths }: PlacedReferences['references']): Set<string> {
  return new Set(
    paths.flatMap(({ root, keys: [first] }) =>
      root === 'variables' && typeof first?.key === 'string' ? [first.key] : [],
    ),
  );
}

const SOUGHT =
  /(?:has\(\s*variables\s*\.\s*|variables\s*\.\?\s*)([A-Za-z_]\w*)|["']([^"'\\]+)\\?["']\s+in\s+variables\b/g;

function soughtIn(values: readonly Json[]): Set<string> {
  return new Set([...JSON.stringify(values).matchAll(SOUGHT)].map(([, name, key]) => name ?? key ?? ''));
}
