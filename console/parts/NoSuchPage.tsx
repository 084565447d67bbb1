import { Anchor, Container, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { WORDS } from '../words/en.ts';
import { Page } from './Page.tsx';

export function NoSuchPage() {
  return (
    <Container component="main" py="xl">
      <Page title={WORDS.problem.notFoundTitle}>
        <Text mb="md">{WORDS.problem.notFoundText}</Text>
        <Anchor component={Link} to="/executions">
          {WORDS.problem.toHome}
        </Anchor>
      </Page>
    </Container>
  );
}
