import { expect, test } from '@jest/globals';
import pino from 'pino';
import { buildCatalogue } from '../../activities/apps/catalogue.ts';
import { createCredentialVault } from './credentialVault.ts';
import { buildRevealSecrets } from './revealSecrets.ts';

const key = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
const owner = {
  workspaceId: '0199a000-0000-7000-8000-000000000001',
  connectionId: '0199a000-0000-7000-8000-000000000002',
};
const vault = createCredentialVault(key('a'));
const { sealed, keyId } = vault.seal(owner, { username: 'ann', password: 'sesame-7431', allowedHosts: 'a.test' });
const stored = { ...owner, appId: 'http', type: 'basic', sealed: Buffer.from(sealed).toString('base64'), keyId };

function opened(keys: string) {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const open = buildRevealSecrets({
    vault: createCredentialVault(keys),
    catalogue: buildCatalogue({ testing: false }),
    log,
  });
  return { texts: open(['of a form', stored]), lines };
}

test('the secret fields of a connection are opened, and texts too', () => {
  expect(opened(key('a'))).toEqual({ texts: ['of a form', 'sesame-7431'], lines: [] });
});

test('credentials with a missing key do not prevent reads, and the log reports them', () => {
  const { texts, lines } = opened(key('b'));
  expect(texts).toEqual(['of a form']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, ...owner }]);
});
