import { MultiSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { done } from '../../ui/notices/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { documentChoices } from './queries.ts';
import { MAX_QUESTIONS, nameOf, withQuestion } from './savedQuestions.ts';
import { useSavedQuestions } from './useSavedQuestions.ts';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

interface SaveQuestionProps {
  knowledgeId: string;
  question: string;
  filter: string;
  onClose: () => void;
}

/** Asks which documents a question should find, and saves them with the question. */
export function SaveQuestion({ knowledgeId, question, filter, onClose }: SaveQuestionProps) {
  const saved = useSavedQuestions(knowledgeId);
  const documents = useQuery(documentChoices(knowledgeId));
  const before = saved?.rows.find((each) => nameOf(each) === nameOf({ question, filter }));
  const [chosen, setChosen] = useState(() => before?.expected.map(({ groupId }) => groupId) ?? []);
  const choices = (documents.data ?? []).map(({ groupId, name }) => ({
    value: groupId,
    label: name ?? words.untitled,
  }));
  // Some documents of the saved question may have been deleted.
  const expected = choices
    .filter(({ value }) => chosen.includes(value))
    .map(({ value, label }) => ({ groupId: value, name: label }));
  const isFull = before === undefined && (saved?.rows.length ?? 0) >= MAX_QUESTIONS;
  return (
    <ActDialog
      title={words.saveQuestionTitle}
      means={isFull ? words.tooManyQuestions(MAX_QUESTIONS) : words.saveQuestionMeans}
      button={words.save}
      dismiss={words.dismiss}
      isDisabled={saved === undefined || isFull || expected.length === 0}
      explain={(error) => (error instanceof DOMException ? words.noRoom : undefined)}
      onAct={async () => {
        saved?.keep(withQuestion(saved.rows, { question, filter, expected }));
        done(words.questionSaved);
      }}
      onClose={onClose}
    >
      <Text fw={600}>{question}</Text>
      {documents.error !== null && <ProblemAlert error={documents.error} onRetry={() => void documents.refetch()} />}
      <MultiSelect
        label={words.expected}
        description={before === undefined ? undefined : words.questionReplaces}
        data-autofocus
        searchable
        data={choices}
        value={expected.map(({ groupId }) => groupId)}
        onChange={setChosen}
      />
    </ActDialog>
  );
}
