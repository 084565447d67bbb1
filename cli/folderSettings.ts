import { z } from 'zod';
import { BUNDLE_KINDS } from '../domain/bundle/bundle.ts';
import { SETTINGS_FILE } from '../domain/bundle/folders.ts';
import { type Move, moveProblems } from '../domain/bundle/moves.ts';
import { readYaml } from '../embedded/projectFiles.ts';
import type { FileProblem } from './fileProblems.ts';
import { shapeProblems } from './shapeProblems.ts';

/** `perdure.yaml` of a folder. `pull` never writes it, so nothing in it comes from a server. */
export interface FolderSettings {
  /** The slug of the project, unless --project or PERDURE_PROJECT chooses one. */
  project?: string;
  environment: ReadonlySet<string>;
  /** The owner whose resources `--delete` may delete. Undefined: the project's slug. */
  owner?: string;
  moved: Move[];
  problems: FileProblem[];
}

/** Credentials of the command line itself. Windows ignores the case of names. */
export function isReserved(name: string): boolean {
  return name.toUpperCase().startsWith('PERDURE_');
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const WORD = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const word = (summary: string) =>
  z
    .string()
    .regex(WORD, 'expected at most 64 letters, digits, _ and -, beginning with a letter or a digit')
    .describe(summary);

const SETTINGS = z
  .strictObject({
    project: word('slug of the project; --project and PERDURE_PROJECT come first').optional(),
    owner: word("owner of the folder's resources; default: the project's slug").optional(),
    environment: z
      .array(
        z
          .string()
          .regex(NAME, 'expected the name of an environment variable')
          .refine((name) => !isReserved(name), {
            error: ({ input }) => `${input} cannot be filled in: PERDURE_ is reserved for the command line`,
          }),
      )
      .optional()
      .describe('environment variables that texts of the folder may name'),
    moved: z
      .array(
        z.strictObject({
          kind: z.enum(BUNDLE_KINDS, `expected one of ${BUNDLE_KINDS.join(', ')}`),
          from: z.string().min(1),
          to: z.string().min(1),
        }),
      )
      .max(1000)
      .optional()
      .describe('resources with a new slug, which keep id, history and webhook address'),
  })
  .describe('Settings of a folder: docs/project-as-code.md');

export function settingsSchema(): object {
  return z.toJSONSchema(SETTINGS, { io: 'input' });
}

export async function readSettings(folder: string): Promise<FolderSettings> {
  const value = (await readYaml(folder, SETTINGS_FILE)) ?? {};
  const parsed = SETTINGS.safeParse(value);
  const problems = parsed.success ? [] : shapeProblems(SETTINGS_FILE, SETTINGS, parsed.error);
  const { environment, moved = [], ...rest } = parsed.success ? parsed.data : { ...validPart(value), moved: [] };
  return { ...rest, environment: new Set(environment), moved, problems } as FolderSettings;
}

/** Keeps the names of the environment of an invalid file, so that texts which use them are no problems too. */
function validPart(value: unknown): { environment: string[] } {
  const { environment } = (value ?? {}) as { environment?: unknown };
  const names = Array.isArray(environment) ? environment : [];
  return { environment: names.filter((name) => typeof name === 'string' && NAME.test(name) && !isReserved(name)) };
}

/** Reports moves that contradict each other or the files. */
export function movedProblems({ moved }: FolderSettings, keys: ReadonlySet<string>): FileProblem[] {
  return moveProblems(moved, keys).map((each) => ({ ...each, file: SETTINGS_FILE }));
}
