import { Text } from '@mantine/core';
import { Page } from '../../ui/Page.tsx';
import { WORDS } from '../../ui/words/words.ts';

export function NotAllowed() {
  return (
    <Page title={WORDS.problem.notAllowedTitle}>
      <Text>{WORDS.problem.notAllowedText}</Text>
    </Page>
  );
}
