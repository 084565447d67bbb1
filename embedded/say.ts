/** Takes one line of progress. The launcher's lines and these look alike. */
export type Say = (line: string) => void;

/** Prints a line for the person at the terminal; logs of the service are pino's. */
export const say: Say = (line) => {
  process.stdout.write(`perdure  ${line}\n`);
};

/** `0.4 s`, `2 min 31 s` */
export function durationText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
