import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../../projectRoot.ts';

export interface Service {
  image?: string;
  /** The folder of the Dockerfile, and the stage if it is not the last. */
  build?: string | { context: string; target: string };
  profiles?: string[];
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string | number | boolean>;
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  restart?: string;
  stop_grace_period?: string;
  mem_limit?: string;
}

export interface ComposeFile {
  services: Record<string, Service>;
  volumes?: Record<string, unknown>;
}

export function readComposeText(): string {
  return readFileSync(join(PROJECT_ROOT, 'docker-compose.yml'), 'utf8');
}

export function parseCompose(text: string): ComposeFile {
  return parse(text, { merge: true }) as ComposeFile;
}

export interface Placeholder {
  name: string;
  /** `${NAME:?message}` */
  isRequired: boolean;
  /** The default in `${NAME:-default}`. */
  whenAbsent: string | undefined;
}

const PLACEHOLDER = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

export function placeholdersOf(text: string): Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name, kind, rest]) => ({
    name: name as string,
    isRequired: kind === '?',
    whenAbsent: kind === '-' ? rest : undefined,
  }));
}

/** Throws if a required variable is missing or empty. */
export function environmentOf(service: Service, variables: Record<string, string>): Record<string, string> {
  const filled = (value: string) =>
    value.replaceAll(PLACEHOLDER, (_, name: string, kind: string | undefined, rest: string) => {
      const given = variables[name];
      if (given) return given;
      if (kind === '?') throw new Error(`${name}: ${rest}`);
      return rest ?? '';
    });
  return Object.fromEntries(
    Object.entries(service.environment ?? {}).map(([name, value]) => [name, filled(String(value))]),
  );
}
