import { open, readFile } from 'node:fs/promises';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { keysOfPath } from '../../domain/place.ts';
import { EnvironmentFill, maskedText, type Template } from '../environmentFill.ts';
import { Usage } from '../exitCode.ts';
import type { InFolder } from '../fileProblems.ts';
import type { Bundle } from '../planOf.ts';
import { endAt } from '../projectFolder.ts';

/** A plan in a file. Values of the environment are `***` in its bundle; `environment` has their texts. */
interface SavedPlan {
  projectId: string;
  planHash: string;
  bundle: Bundle;
  files: readonly string[];
  environment: Template[];
}

export interface PlanToSave extends Omit<SavedPlan, 'environment' | 'files'> {
  templates: readonly Template[];
  inFolder: InFolder;
}

/** Only its owner may read the file: what the files of the folder contain may be secret. */
export async function savePlan(target: string, plan: PlanToSave): Promise<void> {
  const { projectId, planHash, bundle, templates, inFolder } = plan;
  const masked = structuredClone(bundle) as unknown as JsonObject;
  for (const { at, text } of templates) setAt(masked, at, maskedText(text));
  const saved = { projectId, planHash, bundle: masked, files: inFolder.files, environment: templates };
  const file = await open(target, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${JSON.stringify(saved, null, 2)}\n`);
  } finally {
    await file.close();
  }
}

export interface PlanToApply {
  projectId: string;
  bundle: Bundle;
  inFolder: InFolder;
  fill: EnvironmentFill;
}

/** Fills values of the environment in again. Throws a Usage for another file; exits with 4 if a name is not set. */
export async function readPlan(file: string): Promise<PlanToApply> {
  const { projectId, planHash, bundle, files, environment } = planIn(await readFile(file, 'utf8'), file);
  const fill = new EnvironmentFill(process.env);
  for (const { at, text, file: of, path } of environment) {
    setAt(bundle as unknown as JsonObject, at, fill.text({ text, file: of, path }).text);
  }
  const problems = [...fill.problems, ...fill.unset];
  if (problems.length > 0) await endAt(undefined, problems, 'Nothing was applied.\n');
  return { projectId, bundle: { ...bundle, planHash }, inFolder: { files }, fill };
}

function planIn(text: string, file: string): SavedPlan {
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch {
    // Reported below, like any other file that is not a plan.
  }
  const isPlan =
    isJsonObject(plan) &&
    typeof plan.projectId === 'string' &&
    typeof plan.planHash === 'string' &&
    isJsonObject(plan.bundle) &&
    Array.isArray(plan.files) &&
    Array.isArray(plan.environment) &&
    plan.environment.every((each) => isJsonObject(each) && isText(each.at) && isText(each.text));
  if (!isPlan) throw new Usage(`${file} is not a plan: expected a folder, or a file from perdure plan --out`);
  return plan as unknown as SavedPlan;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function setAt(root: JsonObject, path: string, text: string): void {
  const keys = keysOfPath(path);
  const last = keys.pop();
  const holder = keys.reduce<Json | undefined>((value, key) => memberOf(value, key), root);
  if (Array.isArray(holder)) holder[Number(last)] = text;
  else if (isJsonObject(holder) && last !== undefined && Object.hasOwn(holder, String(last)))
    holder[String(last)] = text;
  else throw new Usage(`The plan has no place ${path}`);
}

function memberOf(value: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, String(key)) ? value[String(key)] : undefined;
}
