/** Further lines are only counted. */
const MAX_LINES = 20;

/** Running and waiting steps in the Temporal UI: labels and times, never data. */
export class StatusDetails {
  readonly #title: string | undefined;
  readonly #lines: string[] = [];
  #more = 0;

  /** `title`: for a workflow that runs a part of an execution. */
  constructor(title?: string) {
    this.#title = title;
  }

  add(line: string): void {
    if (this.#lines.length < MAX_LINES) this.#lines.push(`- ${line}`);
    else this.#more += 1;
  }

  get text(): string {
    const more = this.#more > 0 ? [`- … and ${this.#more} more`] : [];
    const parts = [...(this.#title === undefined ? [] : [this.#title]), [...this.#lines, ...more].join('\n')];
    return parts.filter((part) => part !== '').join('\n\n') || 'Running';
  }
}

export function shownTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
