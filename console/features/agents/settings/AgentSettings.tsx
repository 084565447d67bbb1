import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { DeleteDialog } from '../../../app/dialog/DeleteDialog.tsx';
import { CodeEditor } from '../../../ui/code/CodeEditor.tsx';
import { parsedObject } from '../../../ui/code/jsonText.ts';
import { Loading } from '../../../ui/Loading.tsx';
import { done } from '../../../ui/notices.tsx';
import { ProblemAlert } from '../../../ui/problem/ProblemAlert.tsx';
import { SaveProblem } from '../../../ui/problem/SaveProblem.tsx';
import { WORDS } from '../../../ui/words/words.ts';
import { AGENT_LIST, agentKey } from '../queries.ts';
import { type AgentDraft, type AgentWhole, draftOf } from './agentDraft.ts';
import { deleteAgent, refreshAgent, reloadAgent, updateAgent } from './mutations.ts';
import { agentSettings } from './queries.ts';
import { SettingSections } from './SettingSections.tsx';
import { AGENT_SETTINGS } from './words.ts';

const words = AGENT_SETTINGS;

interface AgentSettingsProps {
  agentId: string;
  isCode: boolean;
  mayWrite: boolean;
  onView: (isCode: boolean) => void;
}

export function AgentSettings(props: AgentSettingsProps) {
  const { data, error, refetch } = useQuery(agentSettings(props.agentId));
  if (data === undefined) {
    return error === null ? <Loading /> : <ProblemAlert error={error} onRetry={() => void refetch()} />;
  }
  return <Opened {...props} first={data} />;
}

interface Loaded {
  agent: AgentWhole;
  etag: string | undefined;
}

/** Keeps the agent as it was opened, so that changes by others do not replace what the person has typed. */
function Opened({ first, ...props }: AgentSettingsProps & { first: Loaded }) {
  const [opened, setOpened] = useState(first);
  const reload = async () => {
    setOpened(await reloadAgent(props.agentId));
    refreshAgent(props.agentId);
  };
  return <Editor key={opened.etag} {...props} {...opened} reload={reload} />;
}

function Editor({
  agent,
  etag,
  isCode,
  mayWrite,
  onView,
  reload,
}: AgentSettingsProps & Loaded & { reload: () => Promise<void> }) {
  const [draft, setDraft] = useState<AgentDraft>(() => draftOf(agent));
  const [code, setCode] = useState<string>();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      updateAgent(agent.project?.id ?? '', etag, {
        ...draft,
        // The slug identifies the agent: an upsert with another slug would create another agent.
        slug: agent.slug ?? draft.slug,
        managedByCode: false,
      }),
    onSuccess: async () => {
      done(words.saved);
      await reload();
    },
  });
  const isLocked = agent.managedByCode === true || !mayWrite;
  const written = code ?? JSON.stringify(draft, null, 2);
  const isBroken = code !== undefined && draftFrom(code) === undefined;
  const takeCode = (text: string) => {
    setCode(text);
    const given = draftFrom(text);
    if (given !== undefined) setDraft(given);
  };
  const problem = isProblem(save.error) ? save.error : undefined;
  return (
    <Stack maw={820}>
      <Group justify="space-between">
        <Group gap="xs" role="group" aria-label={words.view}>
          {[false, true].map((each) => (
            <Button
              key={String(each)}
              size="xs"
              variant={each === isCode ? 'filled' : 'default'}
              aria-pressed={each === isCode}
              onClick={() => {
                setCode(undefined);
                onView(each);
              }}
            >
              {each ? words.code : words.forms}
            </Button>
          ))}
        </Group>
        {!isLocked && (
          <Button loading={save.isPending} disabled={isBroken} onClick={() => save.mutate()}>
            {words.save}
          </Button>
        )}
      </Group>
      {agent.managedByCode === true && <Text role="note">{words.byCode}</Text>}
      <SaveProblem error={save.error} onReload={() => void reload()} />
      {isCode ? (
        <>
          {isBroken && (
            <Text role="alert" c="var(--ink-bad)">
              {WORDS.form.json}
            </Text>
          )}
          <CodeEditor
            value={written}
            language="json"
            label={words.codeLabel}
            minHeight="20rem"
            {...(isLocked ? {} : { onChange: takeCode })}
          />
        </>
      ) : (
        <SettingSections
          draft={draft}
          isLocked={isLocked}
          problems={Object.fromEntries(
            (problem?.errors ?? []).map(({ path, message }) => [path.split(/[.[]/)[0] ?? path, message]),
          )}
          onChange={setDraft}
        />
      )}
      {mayWrite && (
        <Group>
          <Button variant="default" c="var(--ink-bad)" onClick={() => setDeleting(true)}>
            {words.deleteAgent}
          </Button>
        </Group>
      )}
      {isDeleting && (
        <DeleteDialog
          words={words}
          onDelete={() => deleteAgent(agent.id)}
          leave={() => navigate({ to: '/agents' })}
          own={agentKey(agent.id)}
          list={AGENT_LIST}
          onClose={() => setDeleting(false)}
        />
      )}
    </Stack>
  );
}

/** Undefined if the text is not a JSON object. The API reports other errors with their place. */
const draftFrom = (text: string) => parsedObject(text) as AgentDraft | undefined;
