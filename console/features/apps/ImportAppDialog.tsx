import { Alert, Button, FileButton, Group, Modal, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { catalogue, choices } from '../../app/api/choices.ts';
import { staysOpen } from '../../app/dialog/ActDialog.tsx';
import { SAME_FILE_AGAIN, utf8Text } from '../../ui/files/fileInput.ts';
import { FILES } from '../../ui/files/words.ts';
import { done, failed } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { slugOf } from '../../ui/slug.ts';
import { WORDS } from '../../ui/words/words.ts';
import { ImportedActions } from './ImportedActions.tsx';
import { LeftOut } from './LeftOut.tsx';
import { type ImportedApp, readOpenApi, storeImported } from './mutations.ts';
import { APPS } from './words.ts';

const words = APPS.import;

/** Makes an app of an OpenAPI document: read it, choose its actions, store the app. */
export function ImportAppDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const read = useMutation({ mutationFn: () => readOpenApi(text) });
  const take = (next: string) => {
    setText(next);
    read.reset();
  };
  const takeFile = async (file: File) => {
    const content = utf8Text(await file.arrayBuffer());
    if (content === undefined) throw new Error(words.notUtf8);
    take(content);
  };
  return (
    <Modal opened onClose={onClose} title={words.title} size="xl" {...staysOpen(read.isPending)}>
      {read.data === undefined ? (
        <Stack>
          <Group>
            <FileButton
              accept=".json,.yaml,.yml"
              inputProps={SAME_FILE_AGAIN}
              onChange={(file) => file !== null && void takeFile(file).catch(failed)}
            >
              {(button) => (
                <Button variant="default" {...button}>
                  {FILES.choose}
                </Button>
              )}
            </FileButton>
          </Group>
          <Textarea
            label={words.document}
            description={words.documentHelp}
            rows={10}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={text}
            onChange={({ currentTarget }) => take(currentTarget.value)}
          />
          {read.error !== null && <ReadProblem error={read.error} />}
          <Text size="sm">{words.others}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {WORDS.cancel}
            </Button>
            <Button disabled={text.trim() === ''} loading={read.isPending} onClick={() => read.mutate()}>
              {words.read}
            </Button>
          </Group>
        </Stack>
      ) : (
        <ImportChoice app={read.data} document={text} onBack={() => read.reset()} onClose={onClose} />
      )}
    </Modal>
  );
}

/** The alert lists several places, but of a single one it shows the title alone. */
function ReadProblem({ error }: { error: Error }) {
  const [only, ...others] = isProblem(error) ? error.errors : [];
  return (
    <div>
      <ProblemAlert error={error} />
      {only !== undefined && others.length === 0 && (
        <Text size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
          {only.message}
        </Text>
      )}
    </div>
  );
}

interface ImportChoiceProps {
  app: ImportedApp;
  document: string;
  onBack: () => void;
  onClose: () => void;
}

function ImportChoice({ app, document, onBack, onClose }: ImportChoiceProps) {
  const navigate = useNavigate();
  const { data: projects = [] } = useQuery(choices('listProjects'));
  const { data: apps = [] } = useQuery(catalogue());
  const [slug, setSlug] = useState(slugOf(app.name));
  const [project, setProject] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(app.actions.map(({ actionId }) => actionId)));
  const projectId = project ?? projects[0]?.id ?? '';
  const present = apps.find(({ appId }) => appId === slug);
  const store = useMutation({
    mutationFn: () => storeImported({ app, document, slug, projectId, actionIds: [...chosen] }),
    onSuccess: async () => {
      done(words.imported(app.name));
      await navigate({ to: `/apps/${encodeURIComponent(slug)}` });
    },
  });
  return (
    <Stack>
      <Group align="start" grow>
        <TextInput
          label={words.slug}
          description={words.slugHelp}
          required
          value={slug}
          onChange={({ currentTarget }) => setSlug(currentTarget.value)}
        />
        {projects.length > 1 && (
          <NativeSelect
            label={words.project}
            description={words.projectHelp}
            data={projects.map(({ id, name }) => ({ value: id, label: name ?? id }))}
            value={projectId}
            onChange={({ currentTarget }) => setProject(currentTarget.value)}
          />
        )}
      </Group>
      {present !== undefined && (
        <Alert color="yellow" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {present.isCustom ? words.replaces(present.name) : words.builtIn(present.name)}
        </Alert>
      )}
      <ImportedActions actions={app.actions} chosen={chosen} onChoose={setChosen} />
      <LeftOut places={app.leftOut ?? []} />
      {store.error !== null && <ProblemAlert error={store.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {words.back}
        </Button>
        <Button variant="default" onClick={onClose}>
          {WORDS.cancel}
        </Button>
        <Button
          disabled={chosen.size === 0 || slug === '' || projectId === '' || present?.isCustom === false}
          loading={store.isPending}
          onClick={() => store.mutate()}
        >
          {words.submit(chosen.size)}
        </Button>
      </Group>
    </Stack>
  );
}
