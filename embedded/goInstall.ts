import { spawnWatched } from './childProcess.ts';
import { durationText, type Say } from './say.ts';

const STILL_BUILDING_MS = 20_000;
const KEPT_COMPLAINTS = 2_000;

export interface GoInstall {
  /** `github.com/temporalio/cli/cmd/temporal@v1.5.1` */
  packages: string[];
  /** Gets the commands, each named after its package. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** At low priority. */
  isNice?: boolean;
  say: Say;
}

/** Builds commands with Go. Throws what Go complains of, or that there is no Go. */
export async function goInstall({ packages, folder, environment, isNice = false, say }: GoInstall): Promise<void> {
  const startedAt = Date.now();
  const reminder = setInterval(
    () => say(`  still building, ${durationText(Date.now() - startedAt)} so far`),
    STILL_BUILDING_MS,
  );
  const install = ['install', ...packages];
  const [command, args] = isNice ? ['nice', ['go', ...install]] : ['go', install];
  try {
    await new Promise<void>((done, fail) => {
      const go = spawnWatched(command, args, { env: { ...environment, GOBIN: folder, GOFLAGS: '' }, output: 'pipe' });
      let complaints = '';
      go.stderr?.on('data', (text) => {
        complaints = `${complaints}${text}`.slice(-KEPT_COMPLAINTS);
      });
      go.once('error', fail);
      go.once('close', (code) => (code === 0 ? done() : fail(new Error(complaints.trim() || `exit code ${code}`))));
    });
  } finally {
    clearInterval(reminder);
  }
}
