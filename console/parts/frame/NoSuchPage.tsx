import { Anchor, Container, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isLoggedIn } from '../../session.ts';
import { WORDS } from '../../words/en.ts';
import { Page } from '../Page.tsx';
import { Frame } from './Frame.tsx';

/** Of an address that leads nowhere: in the frame for whoever is logged in. */
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
