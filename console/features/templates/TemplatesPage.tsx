import { Button, Card, NativeSelect, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { choices } from '../../app/api/choices.ts';
import { type Permission, useMay } from '../../app/api/me.ts';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { copyTemplate } from './mutations.ts';
import { TEMPLATES } from './templates.ts';
import type { Template } from './templatesOf.ts';
import { TEMPLATES_PAGE } from './words.ts';

const words = TEMPLATES_PAGE;

export function Templates() {
  const navigate = useNavigate();
  const projects = useQuery(choices('listProjects'));
  const [chosen, setChosen] = useState('');
  const projectId = chosen === '' ? (projects.data?.[0]?.id ?? '') : chosen;
  const copy = useMutation({
    mutationFn: (template: Template) => copyTemplate(template, projectId),
    onSuccess: (workflowId) => void navigate({ to: `/workflows/${workflowId}/edit` }),
  });
  const error = projects.error ?? copy.error;
  return (
    <Page title={words.title}>
      <Stack>
        <Text>{words.means}</Text>
        {(projects.data?.length ?? 0) > 1 && (
          <NativeSelect
            label={words.project}
            maw={320}
            value={projectId}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={(projects.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        {projects.data?.length === 0 && <Text>{words.noProject}</Text>}
        {error !== null && <ProblemAlert error={error} />}
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} component="ul" p={0} m={0} aria-label={words.list}>
          {TEMPLATES.map((template) => (
            <OneTemplate
              key={template.name}
              template={template}
              isBusy={copy.isPending && copy.variables === template}
              isDisabled={projectId === '' || copy.isPending}
              onUse={() => copy.mutate(template)}
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Page>
  );
}

interface OneTemplateProps {
  template: Template;
  isBusy: boolean;
  isDisabled: boolean;
  onUse: () => void;
}

function OneTemplate({ template, isBusy, isDisabled, onUse }: OneTemplateProps) {
  const may = useMay();
  const { title, description, queues, objectTypes, agents } = template;
  const missing = neededFor(template).filter((permission) => !may(permission));
  return (
    <Card withBorder component="li" style={{ listStyle: 'none' }}>
      <Stack gap="xs" h="100%" align="flex-start">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Text size="sm">{description}</Text>
        <Text size="sm" c="dimmed">
          {words.contains(queues.length, objectTypes.length, agents.length)}
        </Text>
        {missing.length > 0 ? (
          <Text size="sm" mt="auto">
            {words.needs(missing.join(', '))}
          </Text>
        ) : (
          <Button
            mt="auto"
            variant="default"
            aria-label={words.useOf(title)}
            loading={isBusy}
            disabled={isDisabled}
            onClick={onUse}
          >
            {words.use}
          </Button>
        )}
      </Stack>
    </Card>
  );
}

function neededFor({ queues, objectTypes, agents }: Template): Permission[] {
  return [
    'workflows:write',
    ...(queues.length > 0 ? (['queues:read', 'queues:write'] as const) : []),
    ...(agents.length > 0 ? (['agents:read', 'agents:write', 'agents:use'] as const) : []),
    ...(objectTypes.length > 0 ? (['objects:read', 'objects:write'] as const) : []),
  ];
}
