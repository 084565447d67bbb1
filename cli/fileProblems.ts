import { SETTINGS_FILE, VARIABLES_FILE } from '../domain/bundle/folders.ts';
import { inPath } from '../domain/place.ts';

/** A problem as the server or the rules of the package report it. */
interface Reported {
  path: string;
  message: string;
  code?: string;
  severity?: string;
  fix?: { label: string; edits: { path: string; value?: unknown }[] };
  line?: number;
  column?: number;
}

/** `line` and `column` count from 1, in the file. */
export interface FileProblem extends Reported {
  file: string | null;
}

/** Maps the resources of a bundle to places in a folder. */
export interface InFolder {
  /** The file of each resource. The server names a resource by its index in this list. */
  files: readonly string[];
  /** By index of a variable: the place of its value in an overlay. */
  overlaid?: ReadonlyMap<number, { file: string; path: string }>;
}

/** Replaces `resources[3].nodes[1]` by the file. */
export function fileProblems(errors: readonly Reported[], inFolder: InFolder): FileProblem[] {
  return errors.map(({ path, message, code, severity, fix, line, column }) => {
    const edits = fix?.edits.map((edit) => ({ ...edit, path: placeOf(edit.path, inFolder).path }));
    return {
      ...placeOf(path, inFolder),
      message,
      ...(code === undefined ? {} : { code }),
      ...(severity === undefined ? {} : { severity }),
      ...(fix === undefined || edits === undefined ? {} : { fix: { label: fix.label, edits } }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    };
  });
}

type FilePlace = Pick<FileProblem, 'file' | 'path'>;

function placeOf(path: string, inFolder: InFolder): FilePlace {
  if (/^moved\b/.test(path)) return { file: SETTINGS_FILE, path };
  const [, index, rest = ''] = /^resources\[(\d+)\]\.?(.*)$/s.exec(path) ?? [];
  const isKnown = index !== undefined && Number(index) < inFolder.files.length;
  return isKnown ? placeInFolder(Number(index), rest, inFolder) : { file: null, path };
}

/** Returns the place of a member of a resource. Variables share a file, and overlays replace their values. */
export function placeInFolder(index: number, path: string, { files, overlaid }: InFolder): FilePlace {
  const file = files[index] as string;
  if (file !== VARIABLES_FILE) return { file, path };
  const [, rest] = /^value(?=$|[.[])\.?(.*)$/s.exec(path) ?? [];
  const over = rest === undefined ? undefined : overlaid?.get(index);
  if (over !== undefined) return { file: over.file, path: inPath(over.path, rest as string) };
  return { file, path: inPath(`[${index - files.indexOf(file)}]`, path) };
}

/** `workflows/expense.yaml:12:5: nodes[1].actionId: there is no action ad` */
export function fileProblemText({ file, path, message, severity, line, column }: FileProblem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  const said = severity === 'warning' ? `warning: ${message}` : message;
  return [place, path, said].filter((part) => part !== null && part !== '').join(': ');
}
