import { isJsonObject } from '../../domain/json.ts';
import type { WorkflowOutputs } from '../../domain/outputs/workflowOutputs.ts';
import type { Resource } from '../projectFolder.ts';
import { schemaType } from './schemaType.ts';
import { indented, keyText } from './typeText.ts';
import { workflowType } from './workflowTypes.ts';

const HEAD = `// Written by \`perdure types\` from the project's files: change those, and write it again.
`;

const PROJECT = `/** For \`createClient<Project>()\` of perdure-client. */
export interface Project {
  workflows: Workflows;
  entities: Entities;
  queues: Queues;
}
`;

/** Declares inputs, answers and outputs of workflows and steps, attributes of entity types, and data of queue items. */
export function declarationsOf(resources: readonly Resource[], outputs: ReadonlyMap<string, WorkflowOutputs>): string {
  const of = (kind: string) => resources.filter((each) => each.kind === kind);
  return [
    HEAD,
    interfaceOf('Workflows', of('workflow'), (each) => workflowType(each, outputs.get(each.slug))),
    interfaceOf('Entities', of('objectType'), attributesType),
    interfaceOf('Queues', of('queue'), dataType),
    PROJECT,
  ].join('\n');
}

/** A type without rules accepts anything. */
function attributesType({ attributeSchema }: Resource): string {
  return isJsonObject(attributeSchema) ? schemaType({ type: 'object', ...attributeSchema }) : 'Record<string, unknown>';
}

function dataType({ dataSchema }: Resource): string {
  return isJsonObject(dataSchema) ? schemaType({ type: 'object', ...dataSchema }) : 'Record<string, unknown>';
}

function interfaceOf(name: string, resources: readonly Resource[], typeOf: (resource: Resource) => string): string {
  const sorted = [...resources].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  const members = sorted.map((each) => `${keyText(each.slug)}: ${typeOf(each)};\n`).join('');
  return `export interface ${name} {\n${indented(members)}}\n`;
}
