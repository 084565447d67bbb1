import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { failingService } from '../setup/providers/failingService.ts';
import { makeShop } from './shop.ts';

// `npm run console:filled`: the console with hot reload on the stack of a filled shop, until Ctrl-C.

test('the console of a filled shop', async () => {
  const { home, owner } = await makeShop(await failingService());
  process.stderr.write(`\nhttp://127.0.0.1:5173/console/  ${owner.email}  ${owner.password}\n\n`);
  const vite = spawn('npx', ['vite', 'console', '--config', 'console/vite.config.mjs'], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, PERDURE_URL: home.url },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  onTestFinished(() => void vite.kill());
  await once(vite, 'exit');
});
