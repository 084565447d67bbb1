import { ASKS_AGENT } from '../../../domain/access/permission.ts';
import type { AppManifest } from '../../../domain/app/manifest.ts';
import { A_TEXT, AN_OBJECT, fixed, TOKEN_COUNTS } from '../../../domain/app/outputSchema.ts';
import { icon } from '../icon.ts';

export const AGENTS: AppManifest = {
  appId: 'agent',
  name: 'Agent',
  description: 'Agents of the workspace, as steps of workflows.',
  icon: icon(
    '<rect x="4" y="8" width="16" height="12" rx="2"/><path d="M12 8V4"/><path d="M9 14h.01"/><path d="M15 14h.01"/>',
  ),
  categories: ['Work', 'AI'],
  connectionTypes: [],
  actions: [
    {
      actionId: 'run',
      name: 'Ask an agent',
      description:
        "Sends a message to an agent and waits for its answer, however long the turn takes; cancelling the execution stops it. If the agent needs a person's approval, the step fails, and the agent continues on its own.",
      inputConfig: {
        fields: [
          {
            key: 'agentId',
            label: 'Agent',
            type: 'text',
            required: false,
            help: 'Its id; or give its slug.',
          },
          {
            key: 'slug',
            label: 'Slug',
            type: 'text',
            required: false,
            help: 'The slug of the agent; an agent of this project has priority.',
          },
          { key: 'message', label: 'Message', type: 'longText', required: true },
          {
            key: 'taskId',
            label: 'Task',
            type: 'text',
            required: false,
            help: 'The task to continue, or the id of a new one: 1 to 64 letters, digits, _ and -. Empty: each run gets its own task.',
          },
        ],
        refersTo: { agentId: { kind: 'agent', by: 'id' }, slug: { kind: 'agent', by: 'slug' } },
      },
      outputExample: {
        taskId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f',
        runId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e60',
        text: 'Your parcel comes on Monday.',
        usage: { inputTokens: 210, outputTokens: 12, totalTokens: 222, cachedInputTokens: 0, reasoningTokens: 0 },
      },
      outputSchema: fixed({
        taskId: A_TEXT,
        runId: A_TEXT,
        text: A_TEXT,
        usage: fixed(TOKEN_COUNTS, { cost: AN_OBJECT }),
      }),
      effect: 'write',
      repeatable: true,
      requiresConnection: false,
      permissions: [...ASKS_AGENT],
      placement: 'child',
    },
  ],
  triggers: [],
};
