/** Most lines of open steps; further ones are counted. */
const MAX_LINES = 20;

/**
 * The current details in the Temporal UI: running and waiting steps of an execution. Contains labels and times, never
 * data. `waits` come first, one line each.
 */
export class StatusDetails {
  readonly #title: string | undefined;
  readonly #lines: string[] = [];
  #more = 0;

  /** `title`: of a workflow that is a part of an execution. */
  constructor(title?: string) {
    this.#title = title;
  }

  add(line: string): void {
    if (this.#lines.length < MAX_LINES) this.#lines.push(`- ${line}`);
    else this.#more += 1;
  }

  /** Markdown. */
  get text(): string {
    const more = this.#more > 0 ? [`- … and ${this.#more} more`] : [];
    const parts = [...(this.#title === undefined ? [] : [this.#title]), [...this.#lines, ...more].join('\n')];
    return parts.filter((part) => part !== '').join('\n\n') || 'Running';
  }
}

/** A time as people read it: UTC, to the second. */
export function shownTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
