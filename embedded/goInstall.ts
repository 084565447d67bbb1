import { runWatched } from './runWatched.ts';
import { durationText, type Say } from './say.ts';

const STILL_BUILDING_MS = 20_000;

export interface GoInstall {
  /** Such as `github.com/temporalio/cli/cmd/temporal@v1.5.1`. */
  packages: string[];
  /** Receives the commands, each named after its package. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  isNice?: boolean;
  say: Say;
}

/** Builds commands with Go. Throws Go's error, or an error if Go is missing. */
export async function goInstall({ packages, folder, environment, isNice = false, say }: GoInstall): Promise<void> {
  const startedAt = Date.now();
  const reminder = setInterval(
    () => say(`  still building, ${durationText(Date.now() - startedAt)} so far`),
    STILL_BUILDING_MS,
  );
  const install = ['install', ...packages];
  const [command, args] = isNice ? ['nice', ['go', ...install]] : ['go', install];
  try {
    await runWatched(command, args, { environment: { ...environment, GOBIN: folder, GOFLAGS: '' } });
  } finally {
    clearInterval(reminder);
  }
}
