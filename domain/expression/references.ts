import type { MemberPath } from './members.ts';

interface ReferencesBy<Names, Paths> {
  steps: Names;
  /** Questions whose link is read, which exists before the step has run. */
  links: Names;
  /** The step is chosen at run time, as in `steps[trigger.name]`, or all are read. */
  allSteps: boolean;
  variables: Names;
  allVariables: boolean;
  trigger: boolean;
  loop: boolean;
  loops: Names;
  now: boolean;
  paths: Paths;
}

/** The parts of the scope that an expression reads, so that only these are loaded. */
export type References = ReferencesBy<ReadonlySet<string>, readonly MemberPath[]>;
export type CollectedReferences = ReferencesBy<Set<string>, MemberPath[]>;

export function emptyReferences(): CollectedReferences {
  return {
    steps: new Set(),
    links: new Set(),
    allSteps: false,
    variables: new Set(),
    allVariables: false,
    trigger: false,
    loop: false,
    loops: new Set(),
    now: false,
    paths: [],
  };
}

export const NO_REFERENCES: References = emptyReferences();

export function unionOfReferences(all: readonly References[]): References {
  const [first] = all;
  if (first === undefined) return NO_REFERENCES;
  if (all.length === 1) return first;
  return {
    steps: new Set(all.flatMap((one) => [...one.steps])),
    links: new Set(all.flatMap((one) => [...one.links])),
    allSteps: all.some((one) => one.allSteps),
    variables: new Set(all.flatMap((one) => [...one.variables])),
    allVariables: all.some((one) => one.allVariables),
    trigger: all.some((one) => one.trigger),
    loop: all.some((one) => one.loop),
    loops: new Set(all.flatMap((one) => [...one.loops])),
    now: all.some((one) => one.now),
    paths: all.flatMap((one) => one.paths),
  };
}
