export interface History<State> {
  past: readonly State[];
  present: State;
  future: readonly State[];
  /** The last change. Another one with the same subject soon after is merged with it. */
  last: { about: string; at: number } | undefined;
}

export const MAX_PAST = 100;
/** Changes within this time are merged, such as consecutive keystrokes. */
const TOGETHER_MS = 1_000;

export function historyOf<State>(present: State): History<State> {
  return { past: [], present, future: [], last: undefined };
}

/** Adds a change. An empty `about` is never merged. `at`: epoch milliseconds. */
export function changed<State>(history: History<State>, next: State, about: string, at: number): History<State> {
  const { past, present, last } = history;
  if (next === present) return history;
  const isMore = about !== '' && last?.about === about && at - last.at < TOGETHER_MS && past.length > 0;
  return {
    past: isMore ? past : [...past, present].slice(-MAX_PAST),
    present: next,
    future: [],
    last: { about, at },
  };
}

/** Applies an update to all states, past and future; a step that then changes nothing is dropped. */
export function everywhere<State>(
  history: History<State>,
  update: (state: State) => State,
  isSame: (one: State, other: State) => boolean,
): History<State> {
  const { past, present, future } = history;
  const states = [...past, present, ...future];
  const all = states.map(update);
  if (all.every((state, index) => state === states[index])) return history;
  const at = past.length;
  return {
    ...history,
    past: all.slice(0, at).filter((state, index) => !isSame(state, all[index + 1] as State)),
    present: all[at] as State,
    future: all.slice(at + 1).filter((state, index) => !isSame(state, all[at + index] as State)),
  };
}

export function undone<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  const before = past.at(-1);
  if (before === undefined) return history;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], last: undefined };
}

export function redone<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  const [next, ...rest] = future;
  if (next === undefined) return history;
  return { past: [...past, present], present: next, future: rest, last: undefined };
}
