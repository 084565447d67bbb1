import { Anchor, Button, Code, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { choices } from '../../app/api/choices.ts';
import { useMay } from '../../app/api/me.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Section } from './Section.tsx';
import { FIRST_STEPS } from './words.ts';

const words = FIRST_STEPS;

const MORE = [
  { needs: 'connections:write', to: '/settings/connections', what: words.connect, means: words.connectMeans },
  { needs: 'workspace:admin', to: '/settings/people', what: words.invite, means: words.inviteMeans },
] as const;

/** The ways to a first workflow, for an empty workspace. */
export function FirstSteps() {
  const may = useMay();
  const navigate = useNavigate();
  const projects = useQuery({ ...choices('listProjects'), enabled: may('projects:read') });
  const projectId = projects.data?.[0]?.id;
  const run = useMutation({
    mutationFn: async (into: string) => (await import('../templates/runExample.ts')).runExample(into),
    onSuccess: ({ workflowId, executionId }) =>
      void navigate({ to: `/workflows/${workflowId}/edit`, search: { run: executionId, sample: executionId } }),
  });
  return (
    <Section title={words.title}>
      <Text maw={720}>{words.means}</Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }} my="xs">
        <Way means={words.exampleMeans}>
          <Button
            loading={run.isPending}
            disabled={projectId === undefined}
            onClick={() => projectId !== undefined && run.mutate(projectId)}
          >
            {words.example}
          </Button>
        </Way>
        <Way means={words.templateMeans}>
          <Button component={Link} to={'/templates' as string} variant="default">
            {words.template}
          </Button>
        </Way>
        <Way means={words.emptyMeans}>
          <Button component={Link} to={'/workflows/new' as string} variant="default">
            {words.empty}
          </Button>
        </Way>
      </SimpleGrid>
      {run.error !== null && <ProblemAlert error={run.error} />}
      <Text size="sm">
        {words.apply} <Code>{words.command}</Code>
      </Text>
      {MORE.filter(({ needs }) => may(needs)).map(({ to, what, means }) => (
        <Text key={to} size="sm">
          <Anchor component={Link} to={to} underline="always">
            {what}
          </Anchor>{' '}
          {means}
        </Text>
      ))}
    </Section>
  );
}

function Way({ means, children }: { means: string; children: ReactNode }) {
  return (
    <Stack gap={6} align="flex-start">
      {children}
      <Text size="sm">{means}</Text>
    </Stack>
  );
}
