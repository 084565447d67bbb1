import { Anchor, Text } from '@mantine/core';
import { LOGIN } from './words.ts';

interface ProviderLinksProps {
  providers: readonly { id: string; name: string; loginUrl: string }[];
  isOnly: boolean;
  /** Keeps the page: providers open in another tab. */
  isOverPage: boolean;
  onLeave?: (() => void) | undefined;
}

export function ProviderLinks({ providers, isOnly, isOverPage, onLeave }: ProviderLinksProps) {
  if (providers.length === 0) return null;
  return (
    <>
      <Text size="sm" ta="center">
        {isOnly ? LOGIN.onlyByProvider : LOGIN.or}
      </Text>
      {providers.map(({ id, name, loginUrl }) => (
        <Anchor
          key={id}
          href={loginUrl}
          ta="center"
          onClick={onLeave}
          {...(isOverPage && { target: '_blank', rel: 'noopener' })}
        >
          {LOGIN.with(name)}
        </Anchor>
      ))}
      {isOverPage && (
        <Text size="sm" ta="center">
          {LOGIN.again.elsewhere}
        </Text>
      )}
    </>
  );
}
