import { type Output, printable } from '../output.ts';
import type { Applied } from '../planOf.ts';
import { type ChangeLine, changeLines, type Entry } from './changeLines.ts';

const SIGNS: Record<string, string> = { create: '+', update: '~', delete: '-' };
const COLORS: Record<string, number> = { '+': 32, '-': 31, '@': 36 };

export function changedIn({ plan }: Applied): Entry[] {
  return plan.filter(({ action }) => action !== 'unchanged');
}

export function planText(planned: Applied, { hasColor }: Pick<Output, 'hasColor'>): string {
  const colored = (line: string) => {
    const color = hasColor ? COLORS[line.charAt(0)] : undefined;
    return color === undefined ? line : `\u001b[${color}m${line}\u001b[0m`;
  };
  const lines = changedIn(planned).flatMap((entry) => [
    colored(`${SIGNS[entry.action]} ${headingOf(entry)}`),
    ...changeLines(entry).flatMap((change) => textLines(change, colored)),
  ]);
  return [...lines, countsOf(planned)].join('\n');
}

/** `workflow refund (moved from repay)  (2 open executions stay on their version)` */
export function headingOf({ kind, slug, movedFrom, openExecutions }: Entry): string {
  const moved = movedFrom === undefined ? '' : `  (moved from ${printable(movedFrom)})`;
  const few = openExecutions === 1 ? '1 open execution stays on its version' : undefined;
  const open = openExecutions ? `  (${few ?? `${openExecutions} open executions stay on their version`})` : '';
  return `${kind} ${printable(slug)}${moved}${open}`;
}

/** The server shows a secret that it has made only once. */
export function secretText({ kind, slug, secret }: Entry): string[] {
  return secret === undefined ? [] : [`${kind} ${printable(slug)}: calls are signed with ${secret} (shown only now)`];
}

export function countsOf(planned: Applied): string {
  const all = changedIn(planned);
  const count = (action: string) => all.filter((each) => each.action === action).length;
  const moved = all.filter(({ movedFrom }) => movedFrom !== undefined).length;
  const ofThem = moved === 0 ? '' : ` (${moved} moved)`;
  return `${count('create')} to create, ${count('update')} to update${ofThem}, ${count('delete')} to delete`;
}

function textLines(change: ChangeLine, colored: (line: string) => string): string[] {
  const place = `    ${printable(change.path)}:`;
  return 'line' in change
    ? [`${place} ${change.line}`]
    : [place, ...change.diff.map((line) => `      ${colored(line)}`.trimEnd())];
}
