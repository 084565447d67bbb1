/** Takes one line of progress, in the format of the launcher. */
export type Say = (line: string) => void;

/** Prints a line for the person at the terminal; pino writes the service's logs. */
export const say: Say = (line) => {
  process.stdout.write(`perdure  ${line}\n`);
};

export function durationText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
