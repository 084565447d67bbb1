import { beforeAll, expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { builtWorkflows } from '../chaos/replayAll.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { NEVER, unsentCancelled } from '../setup/workspace/unsentCancelled.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

test.each(Object.entries(NEVER))(
  '%s that is cancelled in the task that asked for it ends in a replay where it ended',
  async (_, never) => {
    const id = await home.execute(await home.deploy(unsentCancelled(never)));
    expect((await home.ended(id)).status).toBe('COMPLETED');
    const stepsOf = async (nodeId: string) =>
      (await home.api('GET', `/api/executions/${id}/steps?filterBy=nodeId:${nodeId}`)).body;
    expect(await stepsOf('never')).toMatchObject([{ status: 'CANCELLED' }]);
    expect(await stepsOf('then')).toMatchObject([{ status: 'COMPLETED' }]);

    const handle = (await stackTemporal()).workflow.getHandle(id);
    await handle.result();
    const history = await handle.fetchHistory();
    const asked = (history.events ?? []).filter(
      (event) =>
        event.activityTaskScheduledEventAttributes ?? event.startChildWorkflowExecutionInitiatedEventAttributes,
    );
    expectAbout(asked, 'only what `then` asked for was sent').toHaveLength(1);
    await Worker.runReplayHistory({ workflowBundle: await builtWorkflows() }, history, id);
  },
);
