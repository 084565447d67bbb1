import { Button, Code, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type Answer, isProblem } from 'perdure-client';
import { useState } from 'react';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { PROOF } from '../../app/proof/words.ts';
import { saveFile } from '../../ui/files/saveFile.ts';
import { done } from '../../ui/notices.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { LOGIN } from '../login/words.ts';
import {
  confirmSecondFactor,
  disableSecondFactor,
  enrollSecondFactor,
  refreshMe,
  renewBackupCodes,
} from './mutations.ts';
import type { Person } from './queries.ts';
import { ACCOUNT } from './words.ts';

const words = ACCOUNT;

type Open =
  | { kind: 'enroll' | 'disable' | 'renew' }
  | { kind: 'scan'; enrolment: Answer<'enrollSecondFactor'> }
  | { kind: 'codes'; codes: readonly string[] };

export function SecondFactor({ person: { hasPassword, twoFactorEnabled, email } }: { person: Person }) {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Stack gap="sm">
      {(twoFactorEnabled || hasPassword) && (
        <Text size="sm">{twoFactorEnabled ? words.factorOn : words.factorOff}</Text>
      )}
      {!twoFactorEnabled && !hasPassword && <Text size="sm">{words.needsPassword}</Text>}
      <Group gap="xs">
        {!twoFactorEnabled && (
          <Button variant="default" disabled={!hasPassword} onClick={() => setOpen({ kind: 'enroll' })}>
            {words.enroll}
          </Button>
        )}
        {twoFactorEnabled && (
          <>
            <Button variant="default" onClick={() => setOpen({ kind: 'renew' })}>
              {words.newBackup}
            </Button>
            <Button variant="default" onClick={() => setOpen({ kind: 'disable' })}>
              {words.disable}
            </Button>
          </>
        )}
      </Group>
      {open?.kind === 'enroll' && (
        <WithPassword
          title={words.enroll}
          means={words.enrollMeans}
          button={PROOF.button}
          onAct={async (password) =>
            // Delayed, because closing the password dialog would also close the next one.
            setTimeout(setOpen, 0, {
              kind: 'scan',
              enrolment: await enrollSecondFactor(password),
            } satisfies Open)
          }
          onClose={close}
        />
      )}
      {open?.kind === 'scan' && (
        <Scan
          enrolment={open.enrolment}
          onCodes={async (codes) => {
            await refreshMe();
            done(words.factorDone);
            setTimeout(setOpen, 0, { kind: 'codes', codes } satisfies Open);
          }}
          onClose={close}
        />
      )}
      {open?.kind === 'renew' && (
        <WithCode
          title={words.newBackup}
          means={words.newBackupMeans}
          button={words.newBackup}
          onAct={async (token) => {
            const codes = await renewBackupCodes(token);
            setTimeout(setOpen, 0, { kind: 'codes', codes } satisfies Open);
          }}
          onClose={close}
        />
      )}
      {open?.kind === 'disable' && (
        <Disable
          onDone={async () => {
            await refreshMe();
            done(words.disabled);
          }}
          onClose={close}
        />
      )}
      {open?.kind === 'codes' && <Codes codes={open.codes} email={email} onClose={close} />}
    </Stack>
  );
}

interface AskProps {
  title: string;
  means: string;
  button: string;
  onAct: (text: string) => Promise<unknown>;
  onClose: () => void;
}

function WithPassword({ onAct, ...dialog }: AskProps) {
  const [password, setPassword] = useState('');
  return (
    <ActDialog {...dialog} isDisabled={password === ''} explain={wrongProof} onAct={() => onAct(password)}>
      <PasswordInput
        label={words.password}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </ActDialog>
  );
}

/** Replaces the API's text, which calls a code a token. */
const wrongProof = (error: unknown) => {
  if (!isProblem(error)) return undefined;
  const isWrong = (field: string) => error.errors.some(({ path }) => path === field);
  if (isWrong('password')) return <Text c="var(--ink-bad)">{LOGIN.wrongPassword}</Text>;
  return isWrong('token') ? <Text c="var(--ink-bad)">{LOGIN.wrongCode}</Text> : undefined;
};

function WithCode({ onAct, ...dialog }: AskProps) {
  const [token, setToken] = useState('');
  return (
    <ActDialog {...dialog} isDisabled={token.trim() === ''} explain={wrongProof} onAct={() => onAct(token.trim())}>
      <CodeInput value={token} onChange={setToken} />
    </ActDialog>
  );
}

interface CodeInputProps {
  value: string;
  help?: string;
  onChange: (value: string) => void;
}

function CodeInput({ value, help = words.codeHelp, onChange }: CodeInputProps) {
  return (
    <TextInput
      label={words.code}
      description={help}
      autoComplete="one-time-code"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Disable({ onDone, onClose }: { onDone: () => Promise<void>; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [token, setToken] = useState('');
  return (
    <ActDialog
      title={words.disableTitle}
      means={words.factorOff}
      button={words.disable}
      isDangerous
      isDisabled={password === '' || token.trim() === ''}
      explain={wrongProof}
      onAct={async () => {
        await disableSecondFactor(password, token.trim());
        await onDone();
      }}
      onClose={onClose}
    >
      <PasswordInput
        label={words.password}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <CodeInput value={token} onChange={setToken} />
    </ActDialog>
  );
}

interface ScanProps {
  enrolment: Answer<'enrollSecondFactor'>;
  onCodes: (codes: string[]) => Promise<void>;
  onClose: () => void;
}

/** An SVG in an img runs no script. */
function Scan({ enrolment: { secret, qrSvg }, onCodes, onClose }: ScanProps) {
  const [token, setToken] = useState('');
  return (
    <ActDialog
      title={words.enroll}
      means={words.scan}
      button={words.confirm}
      isDisabled={token.trim() === ''}
      explain={wrongProof}
      onAct={async () => {
        await onCodes(await confirmSecondFactor(token.trim()));
      }}
      onClose={onClose}
    >
      <img className="qr" src={`data:image/svg+xml;utf8,${encodeURIComponent(qrSvg)}`} alt={words.qr} />
      <Text size="sm">
        {words.orType}: <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
      </Text>
      <CodeInput value={token} help={words.firstCodeHelp} onChange={setToken} />
    </ActDialog>
  );
}

interface CodesProps {
  codes: readonly string[];
  email: string;
  onClose: () => void;
}

/** Backup codes are shown once. Only the button closes them. */
function Codes({ codes, email, onClose }: CodesProps) {
  return (
    <Modal opened onClose={onClose} title={words.backup} withCloseButton={false} closeOnEscape={false}>
      <Stack>
        <Text>
          {words.backupMeans} {WORDS.secret.means}
        </Text>
        <ul className="backup-codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() =>
              saveFile('perdure-backup-codes.txt', 'text/plain', `${WORDS.product}: ${email}\n${codes.join('\n')}\n`)
            }
          >
            {words.download}
          </Button>
          <Button data-autofocus onClick={onClose}>
            {WORDS.secret.stored}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
