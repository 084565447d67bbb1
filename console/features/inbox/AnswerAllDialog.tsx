import { Anchor, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { RoundProgress } from '../../ui/RoundProgress.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type AnsweredAll, answerAll, MAX_SAME_KIND, type QuestionKind, sameKindQuestions } from './mutations.ts';
import { type ListedQuestion, refreshQuestions } from './queries.ts';
import { INBOX } from './words.ts';

const words = INBOX.all;
const SHOWN = 8;

interface AnswerAllDialogProps {
  kind: QuestionKind;
  values: Record<string, unknown>;
  onClose: (answered: boolean) => void;
}

export function AnswerAllDialog({ kind, values, onClose }: AnswerAllDialogProps) {
  const queries = useQueryClient();
  const stopped = useRef(new AbortController());
  const [progress, setProgress] = useState<AnsweredAll>();
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState<unknown>();
  // Read once: questions that arrive later were not shown to the user and are not answered.
  const found = useQuery(sameKindQuestions(kind));
  const [first, setFirst] = useState<ListedQuestion[]>();
  if (first === undefined && found.data !== undefined) setFirst(found.data);
  useEffect(() => () => stopped.current.abort(), []);
  const questions = first ?? [];
  const begin = async () => {
    setProgress({ accepted: 0, failed: [] });
    try {
      await answerAll(questions, values, { signal: stopped.current.signal, onProgress: setProgress });
    } catch (failure) {
      if (!stopped.current.signal.aborted) setError(failure);
    } finally {
      setDone(true);
      void refreshQuestions(queries);
    }
  };
  const close = () => onClose((progress?.accepted ?? 0) > 0);
  const title = first === undefined ? words.counting : words.title(questions.length);
  return (
    <Modal opened onClose={close} title={title}>
      <Stack>
        {found.error !== null && <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />}
        {first === undefined && found.error === null && <Loading height={80} />}
        {first !== undefined && questions.length === 0 && <Text>{words.none}</Text>}
        {progress === undefined && questions.length > 0 && (
          <>
            <Text>{words.means}</Text>
            <List size="sm" aria-label={words.answer}>
              {kind.fields
                .filter(({ key }) => values[key] !== undefined)
                .map(({ key, label, type }) => (
                  <List.Item key={key}>
                    {label}: {type === 'secret' ? words.secret : valueText(values[key])}
                  </List.Item>
                ))}
            </List>
            <Text size="sm" fw={600}>
              {words.concerned}
            </Text>
            <List size="sm" aria-label={words.concerned}>
              {questions.slice(0, SHOWN).map((question) => (
                <List.Item key={question.stepId}>{nameOf(question)}</List.Item>
              ))}
            </List>
            {questions.length > SHOWN && <Text size="sm">{words.more(questions.length - SHOWN)}</Text>}
            {questions.length === MAX_SAME_KIND && <Text size="sm">{words.bounded(MAX_SAME_KIND)}</Text>}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {WORDS.executions.dismiss}
              </Button>
              <Button onClick={() => void begin()}>{words.button(questions.length)}</Button>
            </Group>
          </>
        )}
        {progress !== undefined && (
          <RoundProgress
            total={questions.length}
            accepted={progress.accepted}
            failed={progress.failed.map(({ question, code, message }) => ({
              key: question.stepId,
              text: (
                <>
                  <Anchor
                    component={Link}
                    to="/inbox"
                    search={placeOf(question) as never}
                    onClick={close}
                    underline="always"
                  >
                    {nameOf(question)}
                  </Anchor>
                  : {code}: {message}
                </>
              ),
            }))}
            isDone={isDone}
            doneText={words.done(progress.accepted)}
            failedText={words.failed(progress.failed.length)}
            onStop={() => stopped.current.abort()}
            onClose={close}
          />
        )}
        {error !== undefined && <ProblemAlert error={error} />}
      </Stack>
    </Modal>
  );
}

const placeOf = ({ executionId, stepId }: ListedQuestion) => ({ question: `${executionId}/${stepId}` });

const nameOf = ({ executionNumber, title, label }: ListedQuestion) => `#${executionNumber} ${title ?? label}`;

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? WORDS.form.yes : WORDS.form.no;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
