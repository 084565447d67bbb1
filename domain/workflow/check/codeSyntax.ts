import { parse } from 'acorn';
import { holdsExpression } from '../../expression/template.ts';
import { pathTo } from '../../place.ts';
import type { PlacedNode } from '../nodeShape.ts';
import type { Problems } from '../problems.ts';

/** As the sandbox wraps the code (activities/apps/code/guest.ts), so that both accept the same. */
const BEFORE = "(async function (input) {'use strict'; ";
const AFTER = '\n})';

/** Reports the first place at which the JavaScript of a step does not parse. */
export function checkCode({ node, path }: PlacedNode, problems: Problems): void {
  const code = node.inputs?.code;
  if (node.appId !== 'code' || node.actionId !== 'javascript') return;
  // An expression becomes part of the code, which is known only when the step runs.
  if (typeof code !== 'string' || holdsExpression(code)) return;
  const fault = syntaxFault(code);
  if (fault === undefined) return;
  const place = pathTo(pathTo(path, 'inputs'), 'code');
  problems.report({ path: place, nodeId: node.id, code: 'CODE_SYNTAX', severity: 'error', ...fault });
}

interface Fault {
  message: string;
  line: number;
  column: number;
}

function syntaxFault(code: string): Fault | undefined {
  try {
    parse(`${BEFORE}${code}${AFTER}`, { ecmaVersion: 2025, sourceType: 'script' });
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError) || !('loc' in error)) throw error;
    const { line, column } = error.loc as { line: number; column: number };
    const lines = code.split('\n');
    const own = line === 1 ? column - BEFORE.length : column;
    const last = lines.length;
    // The end of the code is missing something, such as a bracket.
    const place =
      line > last ? { line: last, column: (lines.at(-1)?.length ?? 0) + 1 } : { line, column: Math.max(own, 0) + 1 };
    const reason = error.message.replace(/ \(\d+:\d+\)$/, '');
    return { message: `the code does not parse: ${reason} (line ${place.line}, column ${place.column})`, ...place };
  }
}
