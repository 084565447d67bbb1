import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPencil } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { ProblemDetail } from '../../../../domain/problem.ts';
import { useEditing } from '../editing/Editing.tsx';
import { serverProblems } from '../editing/queries.ts';
import { withFix } from '../model/appliedFix.ts';
import { type Draft, writtenDefinition } from '../model/draft.ts';
import { nodeOf } from '../model/graphChanges.ts';
import { labelOf } from '../model/inputSpecs.ts';
import { type PlacedProblem, placed, problemInForm } from '../model/placedProblems.ts';
import { RULES } from '../model/rules.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR;
const LOCAL_PAUSE_MS = 120;
const SERVER_PAUSE_MS = 600;
/** Retry interval if the server is unreachable. */
const AWAY_PAUSE_MS = 3_000;

interface Problems {
  all: PlacedProblem[];
  /** The browser or the server has not checked the current draft yet. */
  isChecking: boolean;
  /** The server is unreachable, so only the browser has checked. */
  isAway: boolean;
}

interface Checked {
  draft: Draft;
  problems: ProblemDetail[];
}

/** Validates the draft in the browser at once, and shortly after on the server, with the workspace. */
export function useProblems(draft: Draft, apps: readonly AppManifest[] | undefined, mayAsk: boolean): Problems {
  const [local, setLocal] = useState<Checked>();
  const [server, setServer] = useState<Checked>();
  const [isAway, setIsAway] = useState(false);
  const newest = useRef(draft);
  newest.current = draft;
  useEffect(() => {
    if (apps === undefined) return;
    RULES.give({ give: 'catalogue', apps: [...apps] });
  }, [apps]);
  useEffect(() => {
    if (apps === undefined) return;
    const timer = setTimeout(async () => {
      const problems = await RULES.ask({ ask: 'validate', definition: writtenDefinition(draft.definition) }).catch(
        ({ message }: Error) => [{ path: '', message }],
      );
      if (newest.current === draft) setLocal({ draft, problems });
    }, LOCAL_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, apps]);
  useEffect(() => {
    if (!mayAsk) return;
    const stopped = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      const problems = await serverProblems(draft, stopped.signal).catch(() => undefined);
      if (stopped.signal.aborted) return;
      setIsAway(problems === undefined);
      if (problems === undefined) timer = setTimeout(ask, AWAY_PAUSE_MS);
      else setServer({ draft, problems });
    };
    timer = setTimeout(ask, SERVER_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [draft, mayAsk]);
  return useMemo(() => {
    const found = [
      ...missing(draft),
      ...(local?.problems ?? []),
      ...(server !== undefined && server.draft === draft ? server.problems : []),
    ];
    const isAsked = !mayAsk || isAway || server?.draft === draft;
    return { all: placed(found, draft.definition), isChecking: local?.draft !== draft || !isAsked, isAway };
  }, [draft, local, server, isAway, mayAsk]);
}

/** Finds missing settings, and agent nodes without an agent, which the API accepts although they can only fail. */
export function missing({ name, slug, projectId, definition }: Draft): ProblemDetail[] {
  const needed = Object.entries({ name: name.trim(), slug, projectId }).filter(([, value]) => value === '');
  const nameless = definition.nodes.flatMap(({ appId, actionId, inputs }, index) =>
    appId === 'agent' && actionId === 'run' && !inputs?.agentId && !inputs?.slug ? [`nodes[${index}].inputs`] : [],
  );
  return [
    ...needed.map(([path]) => ({ path, message: words.settings.needed })),
    ...nameless.map((path) => ({ path, message: words.resource.none })),
  ];
}

interface ProblemListProps {
  problems: Problems;
  /** All problems are missing values of a new form. */
  isQuiet: boolean;
  /** Use the terms of the code instead of the form labels. */
  isCode: boolean;
  at: number | undefined;
  onChoose: (index: number) => void;
}

export function ProblemList({ problems, isQuiet, isCode, at, onChoose }: ProblemListProps) {
  const { draft, apps, isReadOnly, changeDefinition } = useEditing();
  const { all, isChecking, isAway } = problems;
  const inCode = ({ node, field, message }: PlacedProblem) => {
    const own = nodeOf(draft.definition, node);
    const place =
      own === undefined ? (node === undefined ? EDITOR.problems.workflow : EDITOR.graph.trigger) : labelOf(own);
    return { place: field === '' ? place : `${place}: ${field}`, message };
  };
  const shown = all.map((problem, index) => ({
    ...{ problem, index },
    ...(isCode ? inCode(problem) : problemInForm(problem, draft.definition, apps)),
  }));
  const errors = shown.filter(({ problem }) => !problem.isWarning);
  const warnings = shown.filter(({ problem }) => problem.isWarning);
  const listOf = (some: typeof shown) => (
    <ul>
      {some.map(({ problem: { path, fix, message: key }, index, place, message }) => (
        <li key={`${path} ${key}`}>
          <Button
            size="compact-sm"
            variant={index === at ? 'light' : 'subtle'}
            color="gray"
            className="editor-problem"
            onClick={() => onChoose(index)}
          >
            <b>{place}</b>: {message}
          </Button>
          {fix !== undefined && !isReadOnly && (
            <Button size="compact-sm" variant="light" onClick={() => changeDefinition((now) => withFix(now, fix))}>
              {EDITOR.problems.fix(fix.label)}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
  return (
    <section className="editor-problems" aria-label={EDITOR.problems.label}>
      <Group gap={6} mb={all.length > 0 ? 4 : 0}>
        {errors.length === 0 ? (
          <IconCircleCheck size={18} color="var(--ink-good)" aria-hidden />
        ) : isQuiet ? (
          <IconPencil size={18} color="var(--ink-neutral)" aria-hidden />
        ) : (
          <IconAlertTriangle size={18} color="var(--ink-bad)" aria-hidden />
        )}
        <Text size="sm" fw={600} role="status">
          {errors.length === 0
            ? isChecking
              ? EDITOR.problems.checking
              : EDITOR.problems.none
            : (isQuiet ? EDITOR.problems.lacking : EDITOR.problems.count)(errors.length)}
        </Text>
        {isAway && (
          <Text size="sm" c="var(--ink-ask)">
            {EDITOR.problems.away}
          </Text>
        )}
      </Group>
      {errors.length > 0 && listOf(errors)}
      {warnings.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            {EDITOR.problems.warnings(warnings.length)}
          </Text>
          {listOf(warnings)}
        </>
      )}
    </section>
  );
}
