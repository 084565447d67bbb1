import type { ActionManifest, ConnectionType } from '../app/manifest.ts';
import { A_COUNT, AN_OBJECT, fixed } from '../app/outputSchema.ts';
import { isJsonObject, type JsonObject, textOf } from '../json.ts';
import type { ProblemDetail } from '../problem.ts';
import { inputConfigOf } from './actionFields.ts';
import { answerSchema } from './answerSchema.ts';
import { documentProblems, isSwagger } from './documentProblems.ts';
import type { MovedPlaces } from './movedPlaces.ts';
import { planOf } from './operationPlan.ts';
import { type FoundOperation, operationsOf } from './operations.ts';
import { reducedDocument } from './reducedDocument.ts';
import { References } from './references.ts';
import { declaresSecurity, needsCredential, securityTypesOf, UNDECLARED } from './securityTypes.ts';
import { serverOf } from './servers.ts';
import { shortened } from './shortened.ts';
import { convertedSwagger } from './swaggerDocument.ts';

export interface ImportedApp {
  name: string;
  description?: string;
  connectionTypes: ConnectionType[];
  actions: ImportedAction[];
  /** The part of the document that executors need, as JSON text. */
  document: string;
  /** The parts of the document that the app does without. */
  leftOut: ProblemDetail[];
}

export type ImportedAction = Pick<
  ActionManifest,
  'actionId' | 'name' | 'inputConfig' | 'effect' | 'repeatable' | 'outputSchema' | 'requiresConnection'
> & { description?: string };

export interface ImportOptions {
  /** operationIds, as in the document or as actionIds; default: all operations. */
  operations?: readonly string[] | undefined;
  /** Replaces the servers of the document. */
  server?: string | undefined;
}

const MAX_NAME = 100;
const MAX_DESCRIPTION = 300;
const MAX_APP_DESCRIPTION = 500;
/** Documents with more problems are not what they should be. */
const MAX_PROBLEMS = 100;

/** Makes an app of an OpenAPI document, or returns why the document does not hold, with each place. Pure. */
export async function importedApp(
  given: unknown,
  options: ImportOptions = {},
): Promise<ImportedApp | { problems: ProblemDetail[] }> {
  const wrong = documentProblems(given, options.server);
  if (wrong.length > 0 || !isJsonObject(given)) return { problems: wrong };
  const { server } = options;
  const { document: converted, places } = isSwagger(given) ? convertedSwagger(given) : { document: given };
  const document: JsonObject = server === undefined ? converted : { ...converted, servers: [{ url: server }] };
  const problems = new ProblemList(places);
  const leftOut = new ProblemList(places);
  const references = new References(document, (problem) => problems.add(problem));
  const all = operationsOf(document, references);
  const chosen = chosenOperations(all, options.operations, problems);
  const securityTypes = securityTypesOf(document, chosen, references, (problem) => leftOut.add(problem));
  const actions: ImportedAction[] = [];
  for (const found of chosen) {
    const one = server === undefined ? found : withoutServers(found);
    serverOf(document, one, (problem) => problems.add(problem));
    actions.push(actionOf(document, one, references, leftOut));
  }
  if (problems.list.length > 0) return { problems: problems.list };
  const { title, summary, description } = isJsonObject(document.info) ? document.info : {};
  const said = [summary, description].find((text) => typeof text === 'string') ?? '';
  return {
    name: shortened(textOf(title), MAX_NAME) || 'OpenAPI',
    ...describedBy(shortened(textOf(said), MAX_APP_DESCRIPTION)),
    connectionTypes: declaresSecurity(document) ? securityTypes.map(({ type }) => type) : [UNDECLARED],
    actions,
    document: JSON.stringify(reducedDocument(document, chosen, server !== undefined)),
    leftOut: leftOut.list,
  };
}

function chosenOperations(
  all: readonly FoundOperation[],
  names: readonly string[] | undefined,
  problems: ProblemList,
): FoundOperation[] {
  if (all.length === 0) problems.add({ path: 'paths', message: 'expected at least one operation' });
  if (names === undefined) return [...all];
  const wanted = new Set(names);
  const isNamed = ({ actionId, operation }: FoundOperation) =>
    wanted.has(actionId) || (typeof operation.operationId === 'string' && wanted.has(operation.operationId));
  const chosen = all.filter(isNamed);
  const found = new Set(chosen.flatMap(({ actionId, operation }) => [actionId, textOf(operation.operationId)]));
  for (const [index, name] of names.entries()) {
    if (!found.has(name))
      problems.add({ path: `operations[${index}]`, message: `the document has no operation ${name}` });
  }
  return chosen;
}

function actionOf(
  document: JsonObject,
  found: FoundOperation,
  references: References,
  leftOut: ProblemList,
): ImportedAction {
  const { actionId, method, path, operation } = found;
  const plan = planOf(found, references, (problem) => leftOut.add(problem));
  const { summary, description } = operation;
  const isRead = method === 'get' || method === 'head' || method === 'options';
  const said = shortened(textOf(description ?? summary), MAX_DESCRIPTION);
  return {
    actionId,
    name: shortened(textOf(summary), MAX_NAME) || actionId,
    description: `${said} (${method.toUpperCase()} ${path})`.trim().slice(0, MAX_APP_DESCRIPTION),
    inputConfig: inputConfigOf(plan, references),
    effect: isRead ? 'read' : method === 'delete' ? 'destructive' : 'write',
    repeatable: isRead || method === 'put' || method === 'delete' || plan.idempotencyHeader !== undefined,
    outputSchema: fixed({
      status: A_COUNT,
      headers: AN_OBJECT,
      body: answerSchema(found, references),
      durationMs: A_COUNT,
    }),
    requiresConnection: needsCredential(document, found),
  };
}

/** A manifest has no empty texts. */
export function describedBy(description: string): { description?: string } {
  return description === '' ? {} : { description };
}

function withoutServers(found: FoundOperation): FoundOperation {
  const { servers: _own, ...operation } = found.operation;
  const { servers: _path, ...item } = found.item;
  return { ...found, operation, item };
}

/** Each problem once: schemas are read again by each operation that refers to them. */
class ProblemList {
  readonly list: ProblemDetail[] = [];
  readonly #seen = new Set<string>();
  readonly #places: MovedPlaces | undefined;

  constructor(places: MovedPlaces | undefined) {
    this.#places = places;
  }

  add({ path, message, ...more }: ProblemDetail): void {
    const problem = { path: this.#places?.given(path) ?? path, message, ...more };
    const key = `${problem.path} ${problem.message}`;
    if (this.#seen.has(key) || this.list.length === MAX_PROBLEMS) return;
    this.#seen.add(key);
    this.list.push(problem);
  }
}
