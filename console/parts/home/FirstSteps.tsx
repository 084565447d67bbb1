import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../data/me.ts';
import { workflowTriggers } from '../../data/workflows.ts';
import { FIRST_STEPS } from '../../words/en/firstSteps.ts';
import { Section } from './Section.tsx';

const words = FIRST_STEPS;

/** Where a workspace begins in which there is nothing that could run: as far as the person may. */
export function FirstSteps() {
  const may = useMay();
  const workflows = useQuery({ ...workflowTriggers(), enabled: may('workflows:read') });
  if (workflows.data?.length !== 0 || !may('workflows:write')) return null;
  return (
    <Section title={words.title}>
      <Text>{words.means}</Text>
      <Text>
        <Anchor component={Link} to="/workflows/new" underline="always">
          {words.workflow}
        </Anchor>{' '}
        {words.apply} <Code>{words.command}</Code>
      </Text>
      {may('connections:write') && (
        <Text>
          <Anchor component={Link} to="/settings/connections" underline="always">
            {words.connect}
          </Anchor>{' '}
          {words.connectMeans}
        </Text>
      )}
      {may('workspace:admin') && (
        <Text>
          <Anchor component={Link} to="/settings/people" underline="always">
            {words.invite}
          </Anchor>{' '}
          {words.inviteMeans}
        </Text>
      )}
    </Section>
  );
}
