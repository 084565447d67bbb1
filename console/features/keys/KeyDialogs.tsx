import { Button, Checkbox, Group, Input, NativeSelect, Text, TextInput } from '@mantine/core';
import type { Answer } from 'perdure-client';
import { useState } from 'react';
import { PERMISSIONS, type Permission } from '../../../domain/access/permission.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { WORDS } from '../../ui/words/words.ts';
import type { ApiKey } from '../people/queries.ts';
import { createKey, rotateKey } from './mutations.ts';
import { API_KEYS } from './words.ts';

const words = API_KEYS;
const DAY_MS = 86_400_000;

interface KeyDialogProps {
  onMade: (key: Answer<'createApiKey'>) => Promise<void>;
  onClose: () => void;
}

export function CreateKeyDialog({ own, onMade, onClose }: KeyDialogProps & { own: readonly Permission[] }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('');
  // Fixed when it is chosen: a repeated request must have the same body, so that the key is created only once.
  const [expiresAt, setExpiry] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set());
  const permissions = PERMISSIONS.filter((permission) => chosen.has(permission));
  const act = async () => {
    const end = expiresAt === undefined ? {} : { expiresAt };
    await onMade(await createKey({ name: name.trim(), permissions, ...end }));
  };
  return (
    <ActDialog
      title={words.create}
      button={words.createButton}
      size="lg"
      isDisabled={name.trim() === '' || permissions.length === 0}
      onAct={act}
      onClose={onClose}
    >
      <TextInput
        label={WORDS.name}
        data-autofocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group
        label={words.permissions}
        description={words.permissionsHelp}
        value={permissions}
        onChange={(values) => setChosen(new Set(values as Permission[]))}
      >
        <Group gap="xs" my="xs">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setChosen(new Set(own.filter((permission) => permission.endsWith(':read'))))}
          >
            {words.reads}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setChosen(new Set())}>
            {words.none}
          </Button>
        </Group>
        <div className="permissions">
          {PERMISSIONS.map((permission) => (
            <Checkbox key={permission} value={permission} label={permission} disabled={!own.includes(permission)} />
          ))}
        </div>
      </Checkbox.Group>
      {permissions.length === 0 && <Input.Description>{words.needsOne}</Input.Description>}
      <NativeSelect
        label={words.expires}
        value={days}
        onChange={({ currentTarget: { value } }) => {
          setDays(value);
          setExpiry(value === '' ? undefined : new Date(Date.now() + Number(value) * DAY_MS).toISOString());
        }}
        data={Object.entries(words.expiries).map(([value, label]) => ({ value, label }))}
      />
    </ActDialog>
  );
}

/** Replaces the secret of a key. The old secret of somebody else's key ends at once. */
export function RotateKeyDialog({
  apiKey,
  isOwn,
  onMade,
  onClose,
}: KeyDialogProps & { apiKey: ApiKey; isOwn: boolean }) {
  const [graceMs, setGrace] = useState('0');
  return (
    <ActDialog
      title={words.rotateTitle(apiKey.name)}
      means={words.rotateMeans}
      button={words.rotate}
      onAct={async () =>
        await onMade(await rotateKey(apiKey.id, isOwn && graceMs !== '0' ? Number(graceMs) : undefined))
      }
      onClose={onClose}
    >
      {isOwn ? (
        <NativeSelect
          label={words.grace}
          value={graceMs}
          onChange={(event) => setGrace(event.currentTarget.value)}
          data={Object.entries(words.graces).map(([value, label]) => ({ value, label }))}
        />
      ) : (
        <Text>{words.othersKey}</Text>
      )}
    </ActDialog>
  );
}
