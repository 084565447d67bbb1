import { randomBytes } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import { event } from './eventStream.ts';
import type { WorkspaceNews } from './workspaceEvent.ts';

export interface WorkspaceEvent {
  number: number;
  text: string;
  maySee(caller: Caller): boolean;
}

const everybody = () => true;

/** Newest events of a workspace, for followers who reconnect. An id is this list's name and a rising number. */
export class RecentEvents {
  readonly #name = randomBytes(6).toString('base64url');
  readonly #most: number;
  readonly #events: WorkspaceEvent[] = [];
  #last = 0;
  /** Everything after this number is kept. */
  #known = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get place(): string {
    return this.#idOf(this.#last);
  }

  add(news: readonly Pick<WorkspaceNews, 'name' | 'data' | 'maySee'>[]): WorkspaceEvent[] {
    const added = news.map(({ name, data, maySee }) => {
      this.#last += 1;
      return { number: this.#last, text: event(name, data, this.#idOf(this.#last)), maySee };
    });
    this.#events.push(...added);
    for (const { number } of this.#events.splice(0, Math.max(0, this.#events.length - this.#most)))
      this.#known = number;
    return added;
  }

  leaveOut(): WorkspaceEvent[] {
    return this.add([{ name: 'resync', data: {}, maySee: everybody }]);
  }

  /** Returns the events after the id; undefined if the id is unknown or some of them were dropped. */
  after(id: string): WorkspaceEvent[] | undefined {
    const [name, text = ''] = id.split('.');
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (name !== this.#name || !(number >= this.#known && number <= this.#last)) return undefined;
    return this.#events.filter((each) => each.number > number);
  }

  #idOf(number: number): string {
    return `${this.#name}.${number}`;
  }
}
