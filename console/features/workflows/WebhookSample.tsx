import { Alert, Anchor, Button, NativeSelect, PasswordInput, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { type Sample, sampleRequest } from '../webhooks/sampleRequest.ts';
import { methodsOf, type WebhookNeeds, webhookUrl } from '../webhooks/webhookCommand.ts';
import { useTriggerSample } from './useTriggerSample.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS.sample;
const SHOWN = 2_000;

interface Answered {
  status: number;
  executionId: string | null;
  text: string;
}

interface WebhookSampleProps {
  workflowId: string;
  needs: WebhookNeeds;
  name?: string;
}

/** Calls a webhook once from this browser. Typed secrets are not stored. */
export function WebhookSample({ workflowId, needs, name = words.title }: WebhookSampleProps) {
  const { secret, hmac } = needs;
  const methods = methodsOf(needs);
  const { method, body } = useTriggerSample(workflowId) ?? {};
  const [sample, setSample] = useState<Sample>(() => ({
    method: methods.find((each) => each === method) ?? (methods.includes('POST') ? 'POST' : 'GET'),
    body: body == null ? '{"example": true}' : typeof body === 'string' ? body : JSON.stringify(body, null, 2),
    ...{ secret: '', signingSecret: '' },
  }));
  const set = (change: Partial<Sample>) => setSample((now) => ({ ...now, ...change }));
  const send = useMutation({
    mutationFn: async (): Promise<Answered> => {
      const answer = await fetch(webhookUrl(workflowId), {
        ...sampleRequest(needs, sample, Date.now()),
        credentials: 'omit',
      });
      const text = (await answer.text()).slice(0, SHOWN);
      return { status: answer.status, executionId: answer.headers.get('x-execution-id'), text };
    },
  });
  return (
    <Stack
      gap="xs"
      component="form"
      aria-label={name}
      maw={640}
      onSubmit={(event: React.FormEvent) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <Title order={2} size="h5">
        {words.title}
      </Title>
      <Text size="sm">{words.means}</Text>
      {methods.length > 1 && (
        <NativeSelect
          label={words.method}
          data={[...methods]}
          value={sample.method}
          onChange={({ currentTarget: { value } }) => set({ method: value === 'GET' ? 'GET' : 'POST' })}
        />
      )}
      {sample.method === 'POST' && (
        <Textarea
          label={words.body}
          autosize
          minRows={2}
          maxRows={12}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={sample.body}
          onChange={({ currentTarget: { value } }) => set({ body: value })}
        />
      )}
      {secret !== undefined && (
        <PasswordInput
          label={words.secret}
          description={words.secretHelp}
          autoComplete="off"
          required
          value={sample.secret}
          onChange={({ currentTarget: { value } }) => set({ secret: value })}
        />
      )}
      {hmac !== undefined && (
        <PasswordInput
          label={words.signingSecret}
          description={words.secretHelp}
          autoComplete="off"
          required
          value={sample.signingSecret}
          onChange={({ currentTarget: { value } }) => set({ signingSecret: value })}
        />
      )}
      <div>
        <Button type="submit" variant="default" loading={send.isPending}>
          {words.send}
        </Button>
      </div>
      {send.error !== null && <ProblemAlert error={send.error} />}
      {send.data !== undefined && !send.isPending && <AnswerOf {...send.data} />}
    </Stack>
  );
}

function AnswerOf({ status, executionId, text }: Answered) {
  const isWell = status < 400;
  return (
    <Alert
      role="status"
      color={isWell ? 'blue' : 'yellow'}
      title={words.answered(status)}
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      {executionId !== null && (
        <Anchor component={Link} to={`/executions/${executionId}`} underline="always">
          {words.open}
        </Anchor>
      )}
      {isWell && executionId === null && <Text size="sm">{words.nothing}</Text>}
      {text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <pre className="json" tabIndex={0}>
          {text}
        </pre>
      )}
    </Alert>
  );
}
