import { isEqualJson } from '../domain/isEqualJson.ts';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';

export type YamlPath = readonly (string | number)[];

/** A change of a file. Without `value` the member is removed. `order` lists the remaining and new entries of a list. */
export type FileEdit =
  | { path: YamlPath; value?: Json }
  | { path: YamlPath; order: ({ kept: number } | { value: Json })[] };

/** The value in a file, the one on the server, and both with all defaults. */
export interface Compared {
  file: Json;
  fileMeans: Json | undefined;
  server: Json | undefined;
  serverMeans: Json | undefined;
}

/** Whether the file keeps its text although the server has another one. */
export type Stays = (path: YamlPath, server: Json) => boolean;

/** Returns the edits that bring the server's values into the file, without absent members that have their default. */
export function fileEdits(compared: Compared, stays: Stays, path: YamlPath = []): FileEdit[] {
  const { file, fileMeans, server, serverMeans } = compared;
  if (isEqualJson(file, server) || isEqualJson(fileMeans, serverMeans)) return [];
  if (server === undefined) return [{ path }];
  if (isJsonObject(file) && isJsonObject(server)) return ofMembers(compared, { file, server }, stays, path);
  if (Array.isArray(file) && Array.isArray(server)) return ofEntries(compared, { file, server }, stays, path);
  return typeof file === 'string' && stays(path, server) ? [] : [{ path, value: server }];
}

function ofMembers(
  { fileMeans, serverMeans }: Compared,
  { file, server }: { file: JsonObject; server: JsonObject },
  stays: Stays,
  path: YamlPath,
): FileEdit[] {
  const [ofFile, ofServer] = [
    isJsonObject(fileMeans) ? fileMeans : file,
    isJsonObject(serverMeans) ? serverMeans : server,
  ];
  const meant = (key: string) => ({ fileMeans: ofFile[key], serverMeans: ofServer[key] });
  const present = Object.keys(file).flatMap((key) =>
    fileEdits({ file: file[key] as Json, server: server[key], ...meant(key) }, stays, [...path, key]),
  );
  const added = Object.keys(server).flatMap((key): FileEdit[] => {
    if (Object.hasOwn(file, key) || isEqualJson(ofFile[key], ofServer[key])) return [];
    return [{ path: [...path, key], value: server[key] as Json }];
  });
  return [...present, ...added];
}

function ofEntries(
  { fileMeans, serverMeans }: Compared,
  { file, server }: { file: Json[]; server: Json[] },
  stays: Stays,
  path: YamlPath,
): FileEdit[] {
  const idOf = NAMES.find((name) => [file, server].every((list) => areNames(list.map(name)))) ?? undefined;
  const indexOf = new Map(file.map((entry, index) => [idOf?.(entry) ?? String(index), index]));
  const order: ({ kept: number } | { value: Json })[] = [];
  const edits: FileEdit[] = [];
  for (const [index, entry] of server.entries()) {
    const kept = indexOf.get(idOf?.(entry) ?? String(index));
    if (kept === undefined) {
      order.push({ value: entry });
      continue;
    }
    order.push({ kept });
    const means = {
      fileMeans: entryOf(fileMeans, file, kept),
      serverMeans: entryOf(serverMeans, server, index),
    };
    edits.push(...fileEdits({ file: file[kept] as Json, server: entry, ...means }, stays, [...path, kept]));
  }
  const isSameOrder =
    order.length === file.length && order.every((each, index) => 'kept' in each && each.kept === index);
  return isSameOrder ? edits : [...edits, { path, order }];
}

/** Returns the entry itself if the normal form of its list has other entries. */
function entryOf(means: Json | undefined, list: Json[], index: number): Json | undefined {
  return Array.isArray(means) && means.length === list.length ? means[index] : list[index];
}

const textOf = (entry: Json, key: string) => {
  const text = isJsonObject(entry) ? entry[key] : undefined;
  return typeof text === 'string' ? text : undefined;
};

/** Keys that identify the entries of a list: nodes and edges, fields, variables, tools, MCP servers. */
const NAMES: ((entry: Json) => string | undefined)[] = [
  (entry) => textOf(entry, 'id'),
  (entry) => textOf(entry, 'key'),
  (entry) => textOf(entry, 'slug'),
  (entry) => {
    const [app, action] = [textOf(entry, 'appId'), textOf(entry, 'actionId')];
    return app === undefined || action === undefined ? undefined : `${app}.${action}`;
  },
  (entry) => textOf(entry, 'name'),
];

function areNames(ids: readonly (string | undefined)[]): boolean {
  return ids.every((id) => id !== undefined) && new Set(ids).size === ids.length;
}
