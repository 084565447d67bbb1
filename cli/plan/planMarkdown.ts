import { type FileProblem, fileProblemText } from '../fileProblems.ts';
import { printableLines } from '../output.ts';
import type { Applied } from '../planOf.ts';
import { changeLines, type Entry } from './changeLines.ts';
import { changedIn, countsOf } from './planText.ts';

/** A comment of GitHub takes 65,536 characters. */
const MAX_LENGTH = 60_000;
const MAX_SECTION_LENGTH = 20_000;
const MAX_ROWS = 100;

/** Returns a report for a pull request, with a section for each resource. It is at most MAX_LENGTH long. */
export function planMarkdown(planned: Applied): string {
  const changed = changedIn(planned);
  if (changed.length === 0) return '### Perdure plan: no changes\n';
  const head = [`### Perdure plan: ${countsOf(planned)}`, '', ...tableOf(changed), ''].join('\n');
  let text = head;
  const left: Entry[] = [];
  for (const entry of changed) {
    const section = sectionOf(entry);
    if (section === undefined) continue;
    if (text.length + section.length > MAX_LENGTH) left.push(entry);
    else text += section;
  }
  if (left.length === 0) return text;
  const names = left.slice(0, 10).map(({ kind, slug }) => `${kind} ${codeOf(slug)}`);
  const more = left.length > names.length ? `, and ${left.length - names.length} more` : '';
  return `${text}\nThe report would be too long with ${names.join(', ')}${more}: \`perdure plan\` shows all.\n`;
}

/** Returns the report of a plan that cannot be made. */
export function problemsMarkdown(problems: readonly FileProblem[]): string {
  const lines = problems.map(fileProblemText);
  return `### Perdure plan: the files are not valid\n\n${blockOf('', lines.join('\n'))}\n`;
}

function tableOf(changed: readonly Entry[]): string[] {
  const rows = changed.slice(0, MAX_ROWS).map(({ kind, slug, action, movedFrom, openExecutions, changes = [] }) => {
    const moved = movedFrom === undefined ? '' : `, moved from ${codeOf(movedFrom)}`;
    return `| ${action}${moved} | ${kind} ${codeOf(slug)} | ${changes.length || ''} | ${openExecutions || ''} |`;
  });
  const more = changed.length - rows.length;
  return [
    '| Action | Resource | Changes | Open executions |',
    '|---|---|--:|--:|',
    ...rows,
    ...(more > 0 ? [`| | ${more} more | | |`] : []),
  ];
}

function sectionOf(entry: Entry): string | undefined {
  const lines = changeLines(entry).flatMap((change) =>
    'line' in change ? oneLine(entry, change) : [`# ${change.path}`, ...change.diff],
  );
  if (lines.length === 0) return undefined;
  const summary = `<summary>${entry.action} ${entry.kind} ${codeOf(entry.slug)}</summary>`;
  return `\n<details>${summary}\n\n${blockOf('diff', cutTo(lines.join('\n')))}\n\n</details>\n`;
}

function oneLine({ action }: Entry, { path, line }: { path: string; line: string }): string[] {
  return [action === 'create' ? `+${path}: ${line}` : `!${path}: ${line}`];
}

function cutTo(text: string): string {
  if (text.length <= MAX_SECTION_LENGTH) return text;
  const kept = text.slice(0, text.lastIndexOf('\n', MAX_SECTION_LENGTH));
  const left = text.slice(kept.length + 1).split('\n').length;
  return `${kept || text.slice(0, MAX_SECTION_LENGTH)}\n# … ${left} more lines`;
}

/** A fence that is longer than any run of backticks in the text cannot be closed by it. */
function blockOf(language: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${printableLines(text)}\n${fence}`;
}

/** Everything but plain characters becomes an entity, so that no name is read as Markdown or HTML. */
function codeOf(name: string): string {
  const escaped = [...printableLines(name)].map((each) =>
    /[\p{L}\p{N} .-]/u.test(each) ? each : `&#${each.codePointAt(0)};`,
  );
  return `<code>${escaped.join('')}</code>`;
}
