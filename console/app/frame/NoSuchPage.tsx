import { Anchor, Container, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Page } from '../../ui/Page.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { isLoggedIn } from '../session/session.ts';
import { Frame } from './Frame.tsx';

export function NoSuchPage() {
  const said = (
    <Page title={WORDS.problem.notFoundTitle}>
      <Text mb="md">{WORDS.problem.notFoundText}</Text>
      <Anchor component={Link} to="/" underline="always">
        {WORDS.problem.toHome}
      </Anchor>
    </Page>
  );
  if (isLoggedIn()) return <Frame>{said}</Frame>;
  return (
    <Container component="main" py="xl">
      {said}
    </Container>
  );
}
