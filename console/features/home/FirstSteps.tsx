import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../app/api/me.ts';
import { workflowTriggers } from '../workflows/queries/workflows.ts';
import { FIRST_STEPS } from './firstStepsWords.ts';
import { Section } from './Section.tsx';

const words = FIRST_STEPS;

const STEPS = [
  {
    needs: 'workflows:write',
    to: '/workflows/new',
    what: words.workflow,
    means: (
      <>
        {words.apply} <Code>{words.command}</Code>
      </>
    ),
  },
  { needs: 'connections:write', to: '/settings/connections', what: words.connect, means: words.connectMeans },
  { needs: 'workspace:admin', to: '/settings/people', what: words.invite, means: words.inviteMeans },
] as const;

export function FirstSteps() {
  const may = useMay();
  const workflows = useQuery({ ...workflowTriggers(), enabled: may('workflows:read') });
  if (workflows.data?.length !== 0 || !may('workflows:write')) return null;
  return (
    <Section title={words.title}>
      <Text>{words.means}</Text>
      {STEPS.filter(({ needs }) => may(needs)).map(({ to, what, means }) => (
        <Text key={to}>
          <Anchor component={Link} to={to} underline="always">
            {what}
          </Anchor>{' '}
          {means}
        </Text>
      ))}
    </Section>
  );
}
