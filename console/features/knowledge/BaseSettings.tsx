import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { DeleteDialog } from '../../app/dialog/DeleteDialog.tsx';
import { FieldForm } from '../../ui/form/FieldForm.tsx';
import { done } from '../../ui/notices/notices.tsx';
import { SaveProblem } from '../../ui/problem/SaveProblem.tsx';
import { settingsFields } from './baseFields.ts';
import { deleteBase, reloadBase, updateBase } from './mutations.ts';
import { BASE_LIST, baseKey, type KnowledgeWhole } from './queries.ts';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

interface BaseSettingsProps {
  base: KnowledgeWhole;
  /** ETag of the base as it was read, sent with the update. */
  etag: string | undefined;
}

/** Edits the base as it was when the page opened, so that other people's changes do not discard what the user types. */
export function BaseSettings(first: BaseSettingsProps) {
  const [opened, setOpened] = useState(first);
  const reload = async () => {
    setOpened(await reloadBase(first.base.id));
  };
  return <Editor key={opened.etag} {...opened} reload={reload} />;
}

function Editor({ base, etag, reload }: BaseSettingsProps & { reload: () => Promise<void> }) {
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const isEmpty = (base.usage?.documents ?? 0) === 0;
  const save = useMutation({
    mutationFn: (values: Record<string, unknown>) =>
      updateBase(base.id, etag, {
        ...values,
        description: (values.description as string | undefined) ?? null,
      }),
    onSuccess: async () => {
      done(words.saved);
      await reload();
    },
  });
  const problem = isProblem(save.error) ? save.error : undefined;
  return (
    <Stack maw={640}>
      {!isEmpty && <Text size="sm">{words.fixed}</Text>}
      <SaveProblem error={save.error} onReload={() => void reload()} />
      <FieldForm
        fields={settingsFields(isEmpty)}
        initial={base}
        submitLabel={words.save}
        isBusy={save.isPending}
        problems={Object.fromEntries((problem?.errors ?? []).map(({ path, message }) => [path, message]))}
        onSubmit={(values) => save.mutate(values)}
      />
      <Group>
        <Button variant="default" c="var(--ink-bad)" onClick={() => setDeleting(true)}>
          {words.deleteBase}
        </Button>
      </Group>
      {isDeleting && (
        <DeleteDialog
          words={words}
          onDelete={() => deleteBase(base.id)}
          leave={() => navigate({ to: '/knowledge' })}
          own={baseKey(base.id)}
          list={BASE_LIST}
          onClose={() => setDeleting(false)}
        />
      )}
    </Stack>
  );
}
