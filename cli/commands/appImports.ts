import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { YAML_STYLE } from '../../domain/bundle/folders.ts';
import { importedTools } from '../../domain/mcp/toolAction.ts';
import { parsedDocument } from '../../domain/openapi/documentText.ts';
import { importedApp } from '../../domain/openapi/importedApp.ts';
import { importedPiece } from '../../domain/piece/importedPiece.ts';
import { placed } from '../../domain/place.ts';
import { appFile, documentFile, pieceFile } from '../appContents.ts';
import type { Handler, Options } from '../commandSpec.ts';
import { documentAt } from '../documentAt.ts';
import { Ended, EXIT, Usage } from '../exitCode.ts';
import type { Output } from '../output.ts';
import { pieceOfNpm } from '../pieces/bundledPiece.ts';
import { packageVersion } from '../pieces/installPackage.ts';
import { readIfPresent } from '../readIfPresent.ts';
import { toolsOf } from '../toolsOfServer.ts';

const SLUG = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const MAX_DOCUMENT_BYTES = 100_000_000;

export const importOpenApi: Handler = async ({ arguments: [source = ''], options, out, signal }) => {
  const slug = slugOf(options);
  const isUrl = /^https?:/.test(source);
  const text = isUrl ? await documentAt(source, MAX_DOCUMENT_BYTES, signal) : await readFile(source, 'utf8');
  const parsed = await parsedDocument(text);
  if ('problem' in parsed) throw new Ended(EXIT.blocked, placed(parsed.problem));
  const server = options.text('server') ?? (isUrl ? relativeServer(parsed.document, source) : undefined);
  const app = await importedApp(parsed.document, { operations: namesOf(options, 'operations'), server });
  if ('problems' in app) throw new Ended(EXIT.blocked, app.problems.map(placed).join('\n'));
  const { document, leftOut, name, description, ...others } = app;
  const { length } = app.actions;
  const digest = createHash('sha256').update(document).digest('hex');
  const manifest = {
    name,
    ...(description ? { description } : {}),
    runs: { on: 'openapi', document: digest },
    ...others,
  };
  const isReplaced = await write(options, [
    [appFile(slug), stringify(manifest, YAML_STYLE)],
    [documentFile(slug), document],
  ]);
  return report(out, slug, length, leftOut, isReplaced);
};

export const importMcp: Handler = async ({ arguments: [url = ''], options, out, signal }) => {
  const slug = slugOf(options);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Usage(`${url} is no http or https address`);
  const { title, tools: found } = await toolsOf(url, headersOf(options.texts('header')), signal);
  const names = namesOf(options, 'tools');
  const missing = names?.find((name) => !found.some((tool) => tool.name === name));
  if (missing !== undefined) throw new Ended(EXIT.blocked, `The server has no tool ${missing}`);
  const { actions, connectionTypes, tools, leftOut } = importedTools(found, names);
  if (actions.length === 0) throw new Ended(EXIT.blocked, 'The server has no tool that can be an action');
  const manifest = { name: title, runs: { on: 'mcp', url, tools }, connectionTypes, actions };
  const isReplaced = await write(options, [[appFile(slug), stringify(manifest, YAML_STYLE)]]);
  return report(out, slug, actions.length, leftOut, isReplaced);
};

export const importPiece: Handler = async ({ arguments: [source = ''], options, out, signal }) => {
  const slug = slugOf(options);
  const wanted = packageVersion(source);
  const { version, code, described } = await pieceOfNpm(wanted, signal);
  const app = importedPiece(described, namesOf(options, 'actions'));
  if ('problems' in app) throw new Ended(EXIT.blocked, app.problems.map(placed).join('\n'));
  const { name, description, leftOut, ...others } = app;
  const bundle = createHash('sha256').update(code).digest('hex');
  const manifest = {
    ...{ name, ...(description ? { description } : {}) },
    ...{ runs: { on: 'piece', package: wanted.name, version, bundle }, ...others },
  };
  const { offlineProblems } = await import('../../api/operations/bundles/offlineProblems.ts');
  const problems = await offlineProblems([{ kind: 'app', slug, ...manifest }]);
  if (problems.length > 0) throw new Ended(EXIT.blocked, problems.map(placed).join('\n'));
  const isReplaced = await write(options, [
    [appFile(slug), stringify(manifest, YAML_STYLE)],
    [pieceFile(slug), code],
  ]);
  return report(out, slug, app.actions.length, leftOut, isReplaced);
};

function slugOf(options: Options): string {
  const slug = options.text('as') ?? '';
  if (SLUG.test(slug)) return slug;
  throw new Usage('--as <slug> is required: a letter, then up to 63 letters, digits, _ or -');
}

function namesOf(options: Options, name: string): string[] | undefined {
  const names = options
    .text(name)
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return names?.length === 0 ? undefined : names;
}

function headersOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const colon = text.indexOf(':');
      if (colon < 1) throw new Usage('--header expects a name, a colon and a value');
      return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
    }),
  );
}

/** A relative server is relative to the address of the document. */
function relativeServer(document: unknown, source: string): string | undefined {
  const url = (document as { servers?: { url?: unknown }[] } | null)?.servers?.[0]?.url;
  const isRelative = typeof url === 'string' && !URL.canParse(url) && !url.includes('{') && URL.canParse(url, source);
  return isRelative ? new URL(url, source).href : undefined;
}

/** Returns whether one of the files existed with another content. */
async function write(options: Options, files: readonly (readonly [string, string])[]): Promise<boolean> {
  const folder = options.text('dir') ?? '.';
  await mkdir(join(folder, 'apps'), { recursive: true });
  let isReplaced = false;
  for (const [path, text] of files) {
    const before = await readIfPresent(join(folder, path));
    if (before !== undefined && before !== text) isReplaced = true;
    await writeFile(join(folder, path), text);
  }
  return isReplaced;
}

function report(
  out: Output,
  slug: string,
  actions: number,
  leftOut: readonly { path: string; message: string }[],
  isReplaced: boolean,
): number {
  if (leftOut.length > 0) out.note(`Left out:\n  ${leftOut.map(placed).join('\n  ')}`);
  const file = appFile(slug);
  const did = isReplaced ? 'replaced' : 'wrote';
  out.value(
    { file, actions, leftOut, replaced: isReplaced },
    () => `${did} ${file} with ${actions} ${actions === 1 ? 'action' : 'actions'}`,
  );
  return EXIT.done;
}
