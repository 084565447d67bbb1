import { Problem } from '../../domain/problem.ts';
import { storageProblem } from '../../domain/storableJson.ts';

export function brokenBody(path: string, message: string, cause?: unknown): Problem {
  return new Problem('VALIDATION_FAILED', `The body is not accepted: ${path}: ${message}`, {
    errors: [{ path, message }],
    cause,
  });
}

export function requireStorable(text: string, path: string): void {
  const unstorable = storageProblem(JSON.stringify(text));
  if (unstorable !== undefined) throw brokenBody(path, unstorable);
}

export function tooManyParts(limit: number): Problem {
  return new Problem('PAYLOAD_TOO_LARGE', `The form has more than ${limit} fields and files`);
}
