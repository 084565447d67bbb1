import { stripVTControlCharacters, styleText } from 'node:util';
import stringWidth from 'string-width';
import type { ExecutionEvent } from '#client';
import { cut, type Output, printable } from './output.ts';

type Drawn = Extract<ExecutionEvent, { executionPath: unknown }>;
type Step = Drawn['executionPath'][number];

type Color = Parameters<typeof styleText>[0];

/** A sign, a word and a color, because color must not be the only signal. */
const SIGNS: Record<Step['status'], [sign: string, color: Color]> = {
  QUEUED: ['·', 'gray'],
  RUNNING: ['▶', 'cyan'],
  RETRYING: ['↻', 'yellow'],
  WAITING: ['⏸', 'blue'],
  NEEDS_INPUT: ['?', 'magenta'],
  COMPLETED: ['✓', 'green'],
  FAILED: ['✕', 'red'],
  CANCELLED: ['∅', 'yellow'],
};

/** Rounds of the surrounding loops, counted from 1: `[2.1]`. Empty outside of loops. */
export const iterationText = (iteration: Step['iteration']): string =>
  iteration.length > 0 ? `[${iteration.map(({ index }) => index + 1).join('.')}]` : '';

/** Keeps the tree visible above the prompt of any terminal. */
const MAX_LINES = 30;

/** Draws the steps of an execution over the previous drawing. */
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
    const lines = event.executionPath.map((step) => this.#cut(this.#line(step)));
    const hidden = lines.length - MAX_LINES;
    const shown = hidden > 0 ? [`… ${hidden} earlier steps`, ...lines.slice(hidden)] : lines;
    if ('pendingInput' in event) {
      for (const { nodeId, title } of event.pendingInput) {
        // The command is shown whole, even if it takes two rows, so that it can be copied.
        const command = `  perdure questions answer ${event.executionId} --node ${nodeId}`;
        shown.push(this.#cut(`? ${printable(title ?? nodeId)}`), command);
      }
    }
    const up = this.#height > 0 ? `\u001b[${this.#height}A\u001b[0J` : '';
    this.#out.raw(`${up}${shown.map((line) => `${line}\n`).join('')}`);
    this.#height = shown.reduce((sum, line) => sum + this.#rows(line), 0);
  }

  #line({ label, nodeId, status, attempt, durationMs, iteration, error }: Step): string {
    // A newer server may have other states.
    const [sign, color] = SIGNS[status] ?? ['·', 'gray'];
    const state = `${sign} ${status.toLowerCase().replaceAll('_', ' ')}`;
    const colored = this.#out.hasColor ? styleText(color, state) : state;
    const facts = [
      iterationText(iteration),
      this.#loops.get(nodeId) ?? '',
      attempt > 1 ? `attempt ${attempt}` : '',
      durationMs === null ? '' : `${durationMs} ms`,
      error ? printable(`${error.code}: ${error.message}`) : '',
    ].filter((fact) => fact !== '');
    return `${'  '.repeat(iteration.length)}${colored}  ${printable(label)}  ${facts.join('  ')}`.trimEnd();
  }

  /** Cuts a line to one row, which removes its colors. */
  #cut(line: string): string {
    return this.#rows(line) === 1 ? line : cut(stripVTControlCharacters(line), this.#out.width);
  }

  #rows(line: string): number {
    return Math.max(1, Math.ceil(stringWidth(line) / this.#out.width));
  }
}
