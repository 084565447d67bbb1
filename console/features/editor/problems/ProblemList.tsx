import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPencil } from '@tabler/icons-react';
import { useEditing } from '../editing/Editing.tsx';
import { nodeOf } from '../model/graphChanges.ts';
import { labelOf } from '../model/inputSpecs.ts';
import { type PlacedProblem, problemInForm } from '../model/placedProblems.ts';
import { EDITOR } from '../words.ts';
import type { Problems } from './useProblems.ts';

const words = EDITOR.problems;

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
  const { draft, apps } = useEditing();
  const { all, isChecking, isAway } = problems;
  const inCode = ({ node, field, message }: PlacedProblem) => {
    const own = nodeOf(draft.definition, node);
    const place = own === undefined ? (node === undefined ? words.workflow : EDITOR.graph.trigger) : labelOf(own);
    return { place: field === '' ? place : `${place}: ${field}`, message };
  };
  const shown = all.map((one) => (isCode ? inCode(one) : problemInForm(one, draft.definition, apps)));
  return (
    <section className="editor-problems" aria-label={words.label}>
      <Group gap={6} mb={all.length > 0 ? 4 : 0}>
        {all.length === 0 ? (
          <IconCircleCheck size={18} color="var(--ink-good)" aria-hidden />
        ) : isQuiet ? (
          <IconPencil size={18} color="var(--ink-neutral)" aria-hidden />
        ) : (
          <IconAlertTriangle size={18} color="var(--ink-bad)" aria-hidden />
        )}
        <Text size="sm" fw={600} role="status">
          {all.length === 0
            ? isChecking
              ? words.checking
              : words.none
            : (isQuiet ? words.lacking : words.count)(all.length)}
        </Text>
        {isAway && (
          <Text size="sm" c="var(--ink-ask)">
            {words.away}
          </Text>
        )}
      </Group>
      {all.length > 0 && (
        <ul>
          {all.map((problem, index) => (
            <li key={`${problem.path} ${problem.message}`}>
              <Button
                size="compact-sm"
                variant={index === at ? 'light' : 'subtle'}
                color="gray"
                className="editor-problem"
                onClick={() => onChoose(index)}
              >
                <b>{shown[index]?.place}</b>: {shown[index]?.message}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
