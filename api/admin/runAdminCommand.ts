import { v7 } from 'uuid';
import { normalizeEmail } from '../../domain/access/emailAddress.ts';
import type { Database } from '../../prisma/client.ts';
import { insertApiKey, revokeApiKey } from '../../prisma/store/apiKey/writeApiKey.ts';
import { removeSecondFactor } from '../../prisma/store/secondFactor/secondFactors.ts';
import { vouchForAddress } from '../../prisma/store/user/claimAddress.ts';
import { insertMember } from '../../prisma/store/user/insertMember.ts';
import { findPersonByEmail, findUserByEmail, setPassword } from '../../prisma/store/user/users.ts';
import { makeApiKey } from '../access/apiKey.ts';
import { createWorkspace, passwordAfter } from '../access/createWorkspace.ts';
import { readEmail } from '../access/email.ts';
import { hashPassword, makePassword } from '../access/password.ts';
import { type PasswordLengths, type PasswordOwner, passwordProblem } from '../access/passwordRules.ts';
import { passwordOwner } from '../access/person.ts';
import { type AdminCommand, AdminProblem } from './adminArguments.ts';
import { rotateEncryptionKey } from './rotateEncryptionKey.ts';

export interface Deployment {
  url: string;
  temporalUiUrl: string | null;
}

type Options<Name extends AdminCommand['name']> = Extract<AdminCommand, { name: Name }>['options'];

export type ExamCommand = Extract<AdminCommand, { name: 'doctor' | 'replay' | 'builds list' | 'builds use' }>;

export type SaveCommand = Extract<AdminCommand, { name: 'backup' | 'restore' }>;

type AdminSettings = PasswordLengths & { ENCRYPTION_KEY: string | undefined };

/** Throws an AdminProblem or a Problem that the operator can correct. */
export async function runAdminCommand(
  database: Database,
  deployment: Deployment,
  { ENCRYPTION_KEY: encryptionKey, ...lengths }: AdminSettings,
  command: Exclude<AdminCommand, ExamCommand | SaveCommand>,
) {
  const { options } = command;
  const password = 'password' in options ? options.password : undefined;
  if (password !== undefined) {
    const problem = await passwordProblem(
      password,
      await ownerOf(database, command),
      lengths,
      AbortSignal.timeout(60_000),
    );
    if (problem !== undefined) throw new AdminProblem(`${command.name}:\n  --password: ${problem}`);
  }
  switch (command.name) {
    case 'workspace create':
      return { ...deployment, ...(await createWorkspace(database, command.options)) };
    case 'user create':
      return createUser(database, command.options);
    case 'user set-password':
      return givePassword(database, command.options);
    case 'user reset-2fa':
      return resetSecondFactor(database, command.options.email);
    case 'api-key create':
      return createApiKey(database, command.options);
    case 'api-key revoke':
      return revoke(database, command.options.id);
    case 'keys rotate':
      return rotateEncryptionKey(database, encryptionKey);
  }
}

/** A user keeps existing workspaces, so these count for the password rules. */
async function ownerOf(
  database: Database,
  { name, options }: Exclude<AdminCommand, ExamCommand | SaveCommand>,
): Promise<PasswordOwner> {
  const email = 'email' in options ? normalizeEmail(options.email) : '';
  const found = (await findPersonByEmail(database, email)) ?? { email, name: email, workspaces: [] };
  const { isOwner, known } = passwordOwner(found);
  if (name === 'workspace create') return { isOwner: true, known: [...known, options.name] };
  if (name === 'user create') return { isOwner: isOwner || options.role === 'owner', known: [...known, options.name] };
  return { isOwner, known };
}

/** `password` is null if the user had verified the e-mail address: they keep their password. */
async function createUser(database: Database, { workspace, name, role, ...options }: Options<'user create'>) {
  const email = readEmail(options.email);
  const password = options.password ?? makePassword();
  const id = v7();
  const member = { id, email, name, role, passwordHash: await hashPassword(password) };
  const joined = await insertMember(database, workspace, member);
  if (joined.outcome === 'workspaceUnknown') throw new AdminProblem(`there is no workspace ${workspace}`);
  if (joined.outcome === 'alreadyMember') throw new AdminProblem(`${email} is a member of the workspace already`);
  const { userId, claim } = joined;
  return { userId, email, ...passwordAfter(claim, password), role, workspaceId: workspace };
}

/** Ends the user's sessions in every workspace. The operator vouches for the address from now on. */
async function givePassword(database: Database, options: Options<'user set-password'>) {
  const { email } = await personOf(database, options.email);
  const password = options.password ?? makePassword();
  const passwordHash = await hashPassword(password);
  const vouched = await vouchForAddress(database, email, passwordHash);
  if (!vouched) throw nobodyOf(email);
  const { userId, isTakenOver } = vouched;
  if (isTakenOver) return { userId, email, password, takenOver: true };
  await setPassword(database, userId, passwordHash, { kept: null });
  return { userId, email, password };
}

async function resetSecondFactor(database: Database, address: string) {
  const { id: userId, email } = await personOf(database, address);
  return { userId, email, removed: await removeSecondFactor(database, userId) };
}

async function personOf(database: Database, address: string) {
  const email = normalizeEmail(address);
  const found = await findUserByEmail(database, email);
  if (!found) throw nobodyOf(email);
  return { ...found, email };
}

function nobodyOf(email: string): AdminProblem {
  return new AdminProblem(`there is no person ${email}`);
}

async function createApiKey(database: Database, { workspace, name, permissions, expires }: Options<'api-key create'>) {
  if (expires !== undefined && expires.getTime() <= Date.now()) {
    throw new AdminProblem('--expires: expected a time in the future');
  }
  const { key, hash, prefix } = makeApiKey();
  const id = v7();
  const expiresAt = expires ?? null;
  if (!(await insertApiKey(database, workspace, { id, name, hash, prefix, permissions, expiresAt }))) {
    throw new AdminProblem(`there is no workspace ${workspace}`);
  }
  return { id, apiKey: key, name, permissions, expiresAt, workspaceId: workspace };
}

async function revoke(database: Database, id: string) {
  const revokedAt = await revokeApiKey(database, id);
  if (!revokedAt) throw new AdminProblem(`there is no API key ${id}`);
  return { id, revokedAt };
}
