import type { Json } from '../json.ts';

/** Something that a poll has found. */
export interface PollItem {
  /** The same for the same thing, poll after poll: it starts one execution. */
  key: string;
  item: Json;
}
