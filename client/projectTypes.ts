import type { WaitedExecution, WaitOptions } from './executions.ts';
import type { Answer, Arguments, CallOptions } from './operationTypes.ts';

/** The types of a project, as `perdure types` writes them in `Project`. */
export interface ProjectTypes {
  workflows: object;
  entities: object;
}

interface AnyWorkflow {
  input: Record<string, unknown>;
  questions: Record<string, Record<string, unknown>>;
  output: unknown;
}

/** The project of a client without a type argument. */
export interface AnyProject {
  workflows: Record<string, AnyWorkflow>;
  entities: Record<string, Record<string, unknown>>;
}

declare const WORKFLOW: unique symbol;
/** The id of an execution, with the types of its workflow if they are known. Any text is one. */
export type ExecutionId<Workflow = unknown> = string & { readonly [WORKFLOW]?: Workflow };

type Slug<Resources> = string & keyof Resources;
type Empty = Record<never, never>;
/** Optional if the value may be empty. */
type Member<Name extends string, Value> = Empty extends Value ? { [N in Name]?: Value } : { [N in Name]: Value };
/** A trigger without a form accepts any members. */
type InputOf<Workflow> = Workflow extends { input: infer Input }
  ? unknown extends Input
    ? Record<string, unknown>
    : Input
  : Record<string, unknown>;
type QuestionsOf<Workflow> = Workflow extends { questions: infer Questions } ? Questions : AnyWorkflow['questions'];
type OutputOf<Workflow> = Workflow extends { output: infer Output } ? Output : unknown;

type StartBody<Workflow> = Omit<NonNullable<Arguments<'executeWorkflow'>['body']>, 'inputData'> &
  Member<'inputData', InputOf<Workflow>>;
type StartBySlug<Workflows, Name extends Slug<Workflows>> = CallOptions & {
  /** `<project>/<slug>`; the project by its slug or id. */
  workflow: string extends keyof Workflows ? string : `${string}/${Name}`;
} & Member<'body', StartBody<Workflows[Name]>>;

type NewEntity = Arguments<'createObject'>;
type NewEntityOf<Entities, Type extends Slug<Entities>> = Omit<NewEntity, 'body'> & {
  body: Omit<NewEntity['body'], 'objectTypeId' | 'objectTypeSlug' | 'attributes'> & { objectTypeSlug: Type } & Member<
      'attributes',
      Entities[Type]
    >;
};

type GivenAnswer<Workflow, Node extends Slug<QuestionsOf<Workflow>>> = Omit<
  Arguments<'submitInput'>,
  'path' | 'body'
> & {
  path: { executionId: ExecutionId<Workflow>; nodeId: Node };
} & Member<'body', QuestionsOf<Workflow>[Node]>;

/** The operations that know the types of a project. */
export interface ProjectMethods<P extends ProjectTypes> {
  executeWorkflow(given: Arguments<'executeWorkflow'>): Promise<Answer<'executeWorkflow'>>;
  executeWorkflow<Name extends Slug<P['workflows']>>(
    given: StartBySlug<P['workflows'], Name>,
  ): Promise<{ executionId: ExecutionId<P['workflows'][Name]> }>;
  /** Resolves when the execution has ended, or (`until: 'needsInput'`) when it waits for input. */
  waitForExecution<Workflow>(
    executionId: ExecutionId<Workflow>,
    options?: WaitOptions,
  ): Promise<WaitedExecution<OutputOf<Workflow>>>;
  submitInput<Workflow, Node extends Slug<QuestionsOf<Workflow>>>(
    given: GivenAnswer<Workflow, Node>,
  ): Promise<Answer<'submitInput'>>;
  createObject(
    given: string extends keyof P['entities'] ? NewEntity : NewEntity & { body: { objectTypeId: string } },
  ): Promise<Answer<'createObject'>>;
  createObject<Type extends Slug<P['entities']>>(
    given: NewEntityOf<P['entities'], Type>,
  ): Promise<Answer<'createObject'>>;
}
