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

/** Replaces `resources[3].nodes[1]` by the file. `files` has the file of each resource, in order. */
export function fileProblems(errors: readonly Reported[], files: readonly string[]): FileProblem[] {
  return errors.map(({ path, message, code, severity, fix, line, column }) => {
    const inFile = pathInFile(path);
    const file = inFile === undefined ? undefined : files[inFile.index];
    const edits = fix?.edits.map((edit) => ({ ...edit, path: pathInFile(edit.path)?.path ?? edit.path }));
    return {
      ...(inFile === undefined || file === undefined ? { file: null, path } : { file, path: inFile.path }),
      message,
      ...(code === undefined ? {} : { code }),
      ...(severity === undefined ? {} : { severity }),
      ...(fix === undefined || edits === undefined ? {} : { fix: { label: fix.label, edits } }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    };
  });
}

function pathInFile(path: string): { index: number; path: string } | undefined {
  const [, index, rest = ''] = /^resources\[(\d+)\]\.?(.*)$/s.exec(path) ?? [];
  return index === undefined ? undefined : { index: Number(index), path: rest };
}

/** `workflows/expense.yaml:12:5: nodes[1].actionId: there is no action ad` */
export function fileProblemText({ file, path, message, severity, line, column }: FileProblem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  const said = severity === 'warning' ? `warning: ${message}` : message;
  return [place, path, said].filter((part) => part !== null && part !== '').join(': ');
}
