import type { NodeTestRun } from '../../domain/execution/nodeTest.ts';
import { fairShare, TEST_NODE, WORKSPACE_ATTRIBUTE } from '../../temporal-workflows/names.ts';
import type { WorkflowSpec } from '../temporal/gateway.ts';

/** Includes the time to reach a worker, and the safety net below the activity's own timeout. */
const MARGIN_MS = 60_000;

export function nodeTestWorkflowId(testId: string): string {
  return `test-${testId}`;
}

export function nodeTestSpec(test: NodeTestRun): WorkflowSpec {
  return {
    type: TEST_NODE,
    workflowId: nodeTestWorkflowId(test.testId),
    // A repeated request has the same id.
    mayRepeat: true,
    args: [test],
    // If no worker takes it, it ends soon after the caller stops waiting.
    lifeMs: test.timeoutMs + MARGIN_MS,
    title: `Test: ${test.label}`,
    attributes: [{ key: WORKSPACE_ATTRIBUTE, value: test.workspaceId }],
    priority: fairShare(test),
    isEager: true,
  };
}
