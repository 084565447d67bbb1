import { durationWritten } from '../../domain/durationWords.ts';
import { EDITOR } from '../words/en/editor.ts';

const BOUNDS = /(?:a whole number of milliseconds|whole seconds as milliseconds,) from (\d+) to (\d+)/;
const GOT = /, got (-?\d+)$/;

/** What the rules say of milliseconds, below a field that takes `5 min`: bounds and what was written as durations. */
export function durationProblem(message: string | undefined): string | undefined {
  return message
    ?.replace(BOUNDS, (_, least: string, most: string) =>
      EDITOR.input.durationBounds(durationWritten(Number(least)), durationWritten(Number(most))),
    )
    .replace(GOT, (_, got: string) => `, got ${durationWritten(Number(got))}`)
    .replace(/, (in milliseconds|got a number)$/, '');
}
