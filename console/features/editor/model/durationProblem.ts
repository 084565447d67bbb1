import { durationWritten } from '../../../../domain/durationWords.ts';
import { EDITOR } from '../words/editor.ts';

const BOUNDS = /(?:a whole number of milliseconds|whole seconds as milliseconds,) from (\d+) to (\d+)/;
const GOT = /, got (-?\d+)$/;

/** Rewrites milliseconds in a problem as durations, which the fields take (`5 min`). Other problems stay unchanged. */
export function durationProblem(message: string): string {
  if (!BOUNDS.test(message)) return message.replace(/, in milliseconds$/, '');
  return message
    .replace(BOUNDS, (_, least: string, most: string) =>
      EDITOR.input.durationBounds(durationWritten(Number(least)), durationWritten(Number(most))),
    )
    .replace(GOT, (_, got: string) => `, got ${durationWritten(Number(got))}`)
    .replace(/, got a number$/, '');
}
