import { Text } from '@mantine/core';
import { Page } from '../../ui/Page.tsx';
import { WORDS } from '../../ui/words/words.ts';

/** In place of a page that the person may not see: a link of somebody else leads here. */
export function NotAllowed() {
  return (
    <Page title={WORDS.problem.notAllowedTitle}>
      <Text>{WORDS.problem.notAllowedText}</Text>
    </Page>
  );
}
