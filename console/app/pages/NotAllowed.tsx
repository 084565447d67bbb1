import { Text } from '@mantine/core';
import { Page } from '../../ui/Page.tsx';
import { WORDS } from '../../ui/words/words.ts';

/** Replaces a page that the person may not see, for example after a link from somebody else. */
export function NotAllowed() {
  return (
    <Page title={WORDS.problem.notAllowedTitle}>
      <Text>{WORDS.problem.notAllowedText}</Text>
    </Page>
  );
}
