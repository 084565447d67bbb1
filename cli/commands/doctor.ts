import type { Handler } from '../commandSpec.ts';
import { configPath } from '../config.ts';
import { EXIT, exitCodeOf } from '../exitCode.ts';

interface Check {
  check: string;
  isGood: boolean;
  says: string;
}

const OLDEST_NODE = [20, 19];

export const doctor: Handler = async ({ out, place }) => {
  const checks: Check[] = [];
  let exitCode: number = EXIT.done;
  const check = async (name: string, work: () => Promise<string>): Promise<boolean> => {
    try {
      checks.push({ check: name, isGood: true, says: await work() });
      return true;
    } catch (error) {
      exitCode ||= exitCodeOf(error);
      checks.push({ check: name, isGood: false, says: (error as Error).message });
      return false;
    }
  };

  await check('Node', async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
    if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
      throw new Error(`${process.versions.node} is too old: install ${OLDEST_NODE.join('.')} or later`);
    }
    return process.versions.node;
  });
  const isPlaced = await check('which Perdure', async () => {
    const { url, source } = await place();
    return `${url}, from ${source}`;
  });
  if (isPlaced) {
    const here = await place();
    const isThere = await check('API', async () => {
      await here.client.getReadiness();
      return 'is ready';
    });
    if (isThere) {
      await check('API key', async () => {
        const me = await here.client.getCurrentUser();
        return `workspace ${me.workspace.name}, ${me.permissions.length} permissions`;
      });
      await check('project', async () => {
        const projects = await here.client.listProjects();
        const { projectId } = here;
        if (projectId === undefined) return `none selected (PERDURE_PROJECT); there are ${projects.length}`;
        const found = projects.find(({ id }) => id === projectId);
        if (found === undefined)
          throw new Error(`${projectId} is not one of the ${projects.length} that the key can see`);
        return found.name ?? projectId;
      });
    }
  }
  out.rows(
    checks,
    [
      ['', ({ isGood }) => (isGood ? '✓' : '✕')],
      ['CHECK', (each) => each.check],
      ['', ({ says }) => says],
    ],
    '',
  );
  out.note(`Contexts are in ${configPath()}`);
  return exitCode;
};
