import type { NodeTestRun } from '../../domain/execution/nodeTest.ts';
import { fairShare, TEST_NODE, WORKSPACE_ATTRIBUTE } from '../../temporal-workflows/names.ts';
import type { WorkflowSpec } from '../temporal/gateway.ts';

/** To reach a worker, and for the net below the activity's own time. */
const MARGIN_MS = 60_000;

export function nodeTestWorkflowId(testId: string): string {
  return `test-${testId}`;
}

/** The workflow of the test of one node, whose row is there. */
export function nodeTestSpec(test: NodeTestRun): WorkflowSpec {
  return {
    type: TEST_NODE,
    workflowId: nodeTestWorkflowId(test.testId),
    // A repeated request has the same id.
    mayRepeat: true,
    args: [test],
    // Where no worker takes it, it ends soon after nobody waits any more.
    lifeMs: test.timeoutMs + MARGIN_MS,
    title: `Test: ${test.label}`,
    attributes: [{ key: WORKSPACE_ATTRIBUTE, value: test.workspaceId }],
    priority: fairShare(test),
    ahead: true,
  };
}
