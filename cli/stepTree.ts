import { stripVTControlCharacters, styleText } from 'node:util';
import type { ExecutionEvent } from '#client';
import { type Output, printable } from './output.ts';

type Drawn = Extract<ExecutionEvent, { executionPath: unknown }>;
type Step = Drawn['executionPath'][number];

type Color = Parameters<typeof styleText>[0];

/** A sign, a word and a colour: no state is shown by its colour alone. */
const SIGNS: Record<string, [sign: string, color: Color]> = {
  COMPLETED: ['✓', 'green'],
  FAILED: ['✕', 'red'],
  CANCELLED: ['∅', 'yellow'],
  TIMED_OUT: ['⧖', 'red'],
  RUNNING: ['▶', 'cyan'],
  WAITING: ['⏸', 'blue'],
  RETRYING: ['↻', 'yellow'],
  SKIPPED: ['–', 'gray'],
};

/** Of which rounds of the loops around it, from 1: [2.1]. Empty outside of loops. */
export const iterationText = (iteration: Step['iteration']): string =>
  iteration.length > 0 ? `[${iteration.map(({ index }) => index + 1).join('.')}]` : '';

/** Lines that stay visible above the prompt of any terminal. */
const MOST_LINES = 30;

/** The steps of an execution, drawn over what was drawn before. */
export class StepTree {
  readonly #out: Output;
  readonly #loops = new Map<string, string>();
  #height = 0;

  constructor(out: Output) {
    this.#out = out;
  }

  loop({ nodeId, completed, failed, total }: Extract<ExecutionEvent, { type: 'loop.progress' }>): void {
    const of = total === undefined ? '' : ` of ${total}`;
    this.#loops.set(nodeId, ` ${completed}${of}${failed > 0 ? `, ${failed} failed` : ''}`);
  }

  draw(event: Drawn): void {
    const lines = event.executionPath.map((step) => this.#line(step));
    const hidden = lines.length - MOST_LINES;
    const shown = hidden > 0 ? [`… ${hidden} steps before`, ...lines.slice(hidden)] : lines;
    if ('pendingInput' in event) {
      for (const { nodeId, title } of event.pendingInput) {
        shown.push(`? ${printable(title ?? nodeId)}: perdure questions answer ${event.executionId} --node ${nodeId}`);
      }
    }
    const up = this.#height > 0 ? `\u001b[${this.#height}A\u001b[0J` : '';
    this.#out.raw(`${up}${shown.map((line) => `${this.#cut(line)}\n`).join('')}`);
    this.#height = shown.length;
  }

  #line({ label, nodeId, status, attempt, durationMs, iteration, error }: Step): string {
    const [sign, color] = SIGNS[status] ?? ['·', 'gray'];
    const colored = this.#out.hasColor
      ? styleText(color, `${sign} ${status.toLowerCase()}`)
      : `${sign} ${status.toLowerCase()}`;
    const facts = [
      iterationText(iteration),
      this.#loops.get(nodeId) ?? '',
      attempt > 1 ? `attempt ${attempt}` : '',
      durationMs === null ? '' : `${durationMs} ms`,
      error ? printable(`${error.code}: ${error.message}`) : '',
    ].filter((fact) => fact !== '');
    return `${'  '.repeat(iteration.length)}${colored}  ${printable(label)}  ${facts.join('  ')}`.trimEnd();
  }

  /** A line that wraps would be counted as one when the next picture is drawn over it. */
  #cut(line: string): string {
    const plain = stripVTControlCharacters(line);
    return plain.length < this.#out.width ? line : `${plain.slice(0, this.#out.width - 2)}…`;
  }
}
