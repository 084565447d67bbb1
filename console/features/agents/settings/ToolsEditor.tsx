import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TOOL_POLICIES } from '../../../../domain/agent/definition.ts';
import { catalogue } from '../../../app/api/choices.ts';
import { parsedObject } from '../../../ui/code/jsonText.ts';
import { WORDS } from '../../../ui/words/words.ts';
import type { AgentTool } from './agentDraft.ts';
import { AGENT_SETTINGS } from './words.ts';

const words = AGENT_SETTINGS;

interface ToolsEditorProps {
  tools: readonly AgentTool[];
  onChange: (tools: AgentTool[]) => void;
}

const POLICIES = [
  { value: '', label: words.policyByEffect },
  ...TOOL_POLICIES.map((policy) => ({ value: policy, label: words.policies[policy] })),
];

/** An empty text leaves the policy to the effect of the action. */
function withPolicy(tools: readonly AgentTool[], at: number, chosen: string): AgentTool[] {
  return tools.map((each, index) => {
    if (index !== at) return each;
    const { policy: _, ...tool } = each;
    return chosen === '' ? tool : { ...tool, policy: chosen as NonNullable<AgentTool['policy']> };
  });
}

const idOf = ({ appId, actionId }: Pick<AgentTool, 'appId' | 'actionId'>) => `${appId}.${actionId}`;

export function ToolsEditor({ tools, onChange }: ToolsEditorProps) {
  const { data: apps = [] } = useQuery(catalogue());
  const [added, setAdded] = useState('');
  const actions = new Map(
    apps.flatMap((app) =>
      app.actions.map((action) => [
        `${app.appId}.${action.actionId}`,
        { ...action, appId: app.appId, appName: app.name },
      ]),
    ),
  );
  const free = apps.map((app) => ({
    group: app.name,
    items: app.actions
      .map((action) => ({ value: `${app.appId}.${action.actionId}`, label: action.name }))
      .filter(({ value }) => tools.every((tool) => idOf(tool) !== value)),
  }));
  const change = (at: number, how: Partial<AgentTool>) =>
    onChange(tools.map((tool, index) => (index === at ? { ...tool, ...how } : tool)));
  const add = () => {
    const action = actions.get(added);
    if (action === undefined) return;
    onChange([...tools, { appId: action.appId, actionId: action.actionId, policy: 'approve' }]);
    setAdded('');
  };
  return (
    <fieldset className="agent-tools">
      <legend>{words.labels.tools}</legend>
      <Stack gap="sm">
        {tools.length === 0 && <Text size="sm">{words.noTools}</Text>}
        {tools.map((tool, at) => {
          const action = actions.get(idOf(tool));
          const name = action === undefined ? idOf(tool) : `${action.appName}: ${action.name}`;
          return (
            <section key={idOf(tool)} aria-label={name}>
              <Group align="flex-end" gap="sm">
                <Text style={{ flexGrow: 1 }}>{name}</Text>
                <NativeSelect
                  label={words.policy}
                  size="xs"
                  data={POLICIES}
                  value={tool.policy ?? ''}
                  onChange={(event) => onChange(withPolicy(tools, at, event.currentTarget.value))}
                />
                <Button
                  size="xs"
                  variant="default"
                  aria-label={words.removeTool(name)}
                  onClick={() => onChange(tools.filter((_, index) => index !== at))}
                >
                  {words.remove}
                </Button>
              </Group>
              <details>
                <summary>{words.fixedInputs(Object.keys(tool.inputs ?? {}).length)}</summary>
                <FixedInputs inputs={tool.inputs ?? {}} onChange={(inputs) => change(at, { inputs })} />
              </details>
            </section>
          );
        })}
        <Group align="flex-end" gap="sm">
          <NativeSelect
            label={words.addTool}
            data={[{ value: '', label: '' }, ...free.filter(({ items }) => items.length > 0)]}
            value={added}
            onChange={(event) => setAdded(event.currentTarget.value)}
          />
          <Button variant="default" disabled={added === ''} onClick={add}>
            {words.add}
          </Button>
        </Group>
      </Stack>
    </fieldset>
  );
}

function FixedInputs({ inputs, onChange }: { inputs: object; onChange: (inputs: Record<string, unknown>) => void }) {
  const [text, setText] = useState(() => JSON.stringify(inputs, null, 2));
  const [isWrong, setWrong] = useState(false);
  const take = (given: string) => {
    setText(given);
    const value = parsedObject(given);
    setWrong(value === undefined);
    if (value !== undefined) onChange(value);
  };
  return (
    <Textarea
      label={words.inputs}
      description={words.inputsHelp}
      error={isWrong ? WORDS.form.json : undefined}
      autosize
      minRows={3}
      spellCheck={false}
      ff="monospace"
      value={text}
      onChange={(event) => take(event.currentTarget.value)}
    />
  );
}
