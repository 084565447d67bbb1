import type { z } from 'zod';
import { pathTo } from '../domain/place.ts';
import type { FileProblem } from './fileProblems.ts';

/** Returns the problems of a file that does not fit its shape, each at its member. */
export function shapeProblems(file: string, shape: z.ZodObject, { issues }: z.ZodError): FileProblem[] {
  return issues.flatMap((issue): FileProblem[] => {
    const path = placeOf(issue.path);
    if (issue.code !== 'unrecognized_keys') return [{ file, path, message: messageOf(issue) }];
    const known = issue.path.length === 0 ? `, expected one of ${Object.keys(shape.shape).join(', ')}` : '';
    return issue.keys.map((key) => ({ file, path: pathTo(path, key), message: `is unknown${known}` }));
  });
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, key) => pathTo(place, typeof key === 'number' ? key : String(key)), '');
}

function messageOf({ code, message, ...issue }: z.core.$ZodIssue): string {
  if (code !== 'invalid_type') return message;
  return `expected ${'expected' in issue ? (NOUNS[String(issue.expected)] ?? issue.expected) : 'another value'}`;
}

const NOUNS: Record<string, string> = { array: 'a list', object: 'an object', record: 'an object', string: 'a text' };
