import { parseArgs } from 'node:util';
import { z } from 'zod';
import { isPermission, PERMISSIONS, type Permission, ROLES } from '../../domain/access/permission.ts';
import { instantOf } from '../../domain/instant.ts';

/** A mistake that the operator can correct: printed on stderr, exit code 2. */
export class AdminProblem extends Error {}

const text = z.string().trim().min(1, 'expected some text').max(200, 'expected at most 200 characters');
const id = z.uuid('expected a UUID');
const password = z.string().min(8, 'expected at least 8 characters').max(1000, 'expected at most 1000 characters');
const permissions = z.string().transform((list, context): Permission[] => {
  const names = [...new Set(list.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const unknown = names.filter((name) => !isPermission(name));
  if (names.length === 0 || unknown.length > 0) {
    const what = names.length === 0 ? 'expected at least one permission' : `unknown: ${unknown.join(', ')}`;
    context.addIssue({ code: 'custom', message: `${what}; valid are ${PERMISSIONS.join(', ')}` });
    return z.NEVER;
  }
  return names.filter(isPermission);
});
const folder = z.string().min(1, 'expected a path');
const flag = z.boolean().optional();
const expires = z.string().transform((time, context): Date => {
  const moment = instantOf(time);
  if (moment) return moment;
  context.addIssue({ code: 'custom', message: 'expected an ISO 8601 time, e.g. 2027-01-31T00:00:00Z' });
  return z.NEVER;
});

const COMMANDS = {
  'workspace create': z.object({ name: text, email: z.string(), password: password.optional() }),
  'user create': z.object({
    workspace: id,
    email: z.string(),
    name: text,
    role: z.enum(ROLES, { error: `expected one of ${ROLES.join(', ')}` }),
    password: password.optional(),
  }),
  'user set-password': z.object({ email: z.string(), password: password.optional() }),
  'user reset-2fa': z.object({ email: z.string() }),
  'api-key create': z.object({ workspace: id, name: text, permissions, expires: expires.optional() }),
  'api-key revoke': z.object({ id }),
  'keys rotate': z.object({}),
  backup: z.object({ to: folder, 'without-temporal': flag }),
  restore: z.object({ from: folder, report: folder.optional(), 'without-temporal': flag }),
  'builds list': z.object({}),
  'builds use': z.object({ build: text.optional() }),
  doctor: z.object({}),
  replay: z.object({
    limit: z.coerce.number('expected a whole number from 1 to 100000').int().min(1).max(100_000).default(200),
  }),
} as const;

export type AdminCommand = {
  [Name in keyof typeof COMMANDS]: { name: Name; options: z.output<(typeof COMMANDS)[Name]> };
}[keyof typeof COMMANDS];

const ADMIN_USAGE = `usage: npm run admin -- <command>

  workspace create --name <text> --email <address> [--password <text>]
  user create      --workspace <id> --email <address> --name <text> --role ${ROLES.join('|')} [--password <text>]
  user set-password --email <address> [--password <text>]
  user reset-2fa   --email <address>
  api-key create   --workspace <id> --name <text> --permissions <name,name> [--expires <ISO time>]
  api-key revoke   --id <id>
  keys rotate      seals everything again with the first key of ENCRYPTION_KEY
  backup           --to <new folder> [--without-temporal] saves the databases of a deployment that may run meanwhile
  restore          --from <folder> [--report <new file>] [--without-temporal] into empty databases; prints what may be repeated
  builds list      builds of workers that the engine knows, of TEMPORAL_DEPLOYMENT_NAME
  builds use       [--build <id>] gives new tasks to that build; without one to workers that name none
  doctor           looks at settings, database, engine, workers and clock; exit code 1 where something is wrong
  replay           [--limit <number>] replays open and recent histories on this build; exit code 1 where one breaks

permissions: ${PERMISSIONS.join(', ')}`;

export function askedUsage(argv: readonly string[]): string | undefined {
  return argv[0] === 'help' || argv.includes('--help') || argv.includes('-h') ? ADMIN_USAGE : undefined;
}

/** Throws an AdminProblem with all problems and the expected values. */
export function readAdminCommand(argv: readonly string[]): AdminCommand {
  const words = isCommand(argv[0] ?? '') ? 1 : 2;
  const name = argv.slice(0, words).join(' ');
  if (!isCommand(name))
    throw new AdminProblem(`${name === '' ? 'no command' : `unknown command: ${name}`}\n\n${ADMIN_USAGE}`);
  const schema = COMMANDS[name];
  const options = Object.fromEntries(
    Object.entries(schema.shape).map(([key, of]) => [
      key,
      { type: of === flag ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  let values: Record<string, unknown>;
  try {
    values = parseArgs({ args: argv.slice(words), options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new AdminProblem(`${name}: ${(error as Error).message}\n\n${ADMIN_USAGE}`);
  }
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => {
      const key = path.join('.');
      return `  --${key}: ${values[key] === undefined ? 'required' : message}`;
    });
    throw new AdminProblem(`${name}:\n${lines.join('\n')}\n\n${ADMIN_USAGE}`);
  }
  return { name, options: parsed.data } as AdminCommand;
}

function isCommand(name: string): name is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, name);
}
