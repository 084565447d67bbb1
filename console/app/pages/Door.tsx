import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { WORDS } from '../../ui/words/words.ts';

export function Door({ children }: { children: ReactNode }) {
  return (
    <main className="door">
      <Box className="card" w="100%" maw={420} p="xl">
        <Group gap="xs" mb="md">
          <img src="/console/assets/perdure.svg" alt="" width={28} height={28} />
          <Text fw={700} size="lg">
            {WORDS.product}
          </Text>
        </Group>
        {children}
      </Box>
    </main>
  );
}
