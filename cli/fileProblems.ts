export interface FileProblem {
  file: string | null;
  path: string;
  message: string;
}

/** `files` has the file of each resource, in order. */
export function fileProblems(
  errors: readonly { path: string; message: string }[],
  files: readonly string[],
): FileProblem[] {
  return errors.map(({ path, message }) => {
    const [, index, rest = ''] = /^resources\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
    const file = index === undefined ? undefined : files[Number(index)];
    return file === undefined ? { file: null, path, message } : { file, path: rest, message };
  });
}

export function fileProblemText({ file, path, message }: FileProblem): string {
  return [file, path, message].filter((part) => part !== null && part !== '').join(': ');
}
