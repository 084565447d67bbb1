import { Button, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { FieldForm } from '../../ui/form/FieldForm.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { refreshObjects, setEntityState } from './mutations.ts';
import { type Entity, type ObjectType, oneObject, type Transition } from './queries.ts';
import { useReferences, withChoices } from './references.ts';
import { stateName } from './StateChip.tsx';
import { attributeProblems, schemaFields } from './schemaFields.ts';
import { OBJECTS } from './words.ts';

const words = OBJECTS;

export interface WantedMove {
  entity: Pick<Entity, 'id' | 'name'>;
  move: Transition;
}

/** Whether a move needs neither a reason nor more attributes. */
export const isPlain = ({ requiresReason, missingFields }: Transition): boolean =>
  !requiresReason && missingFields.length === 0;

export async function moveEntity(
  type: ObjectType,
  { entity, move }: WantedMove,
  more: { reason?: string; attributes?: Record<string, unknown> } = {},
): Promise<void> {
  const { reason, attributes = {} } = more;
  const body = {
    state: move.to,
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
  try {
    await setEntityState(entity.id, body);
    done(words.moved(entity.name, stateName(type, move.to)));
  } finally {
    await refreshObjects();
  }
}

export function MoveDialog({ type, wanted, onClose }: { type: ObjectType; wanted: WantedMove; onClose: () => void }) {
  const { entity, move } = wanted;
  const [reason, setReason] = useState('');
  const references = useReferences(type);
  const whole = useQuery(oneObject(entity.id));
  const missing = new Set(move.missingFields);
  const all = schemaFields(type.attributeSchema, { needed: move.missingFields });
  const fields = withChoices(
    all.filter(({ key }) => missing.has(key)),
    type,
    references,
  );
  const act = useMutation({
    mutationFn: (attributes: Record<string, unknown>) =>
      moveEntity(type, wanted, { reason: reason.trim(), attributes }),
    onSuccess: onClose,
  });
  const problem = isProblem(act.error) ? act.error : undefined;
  const atFields = attributeProblems(problem?.errors ?? []);
  const isShown = Object.keys(atFields).some((key) => missing.has(key));
  return (
    <Modal opened onClose={onClose} title={words.moveTitle(whole.data?.name ?? entity.name, move.name)}>
      <Stack>
        {act.error !== null && !isShown && <ProblemAlert error={act.error} />}
        <FieldForm
          fields={fields}
          submitLabel={move.name}
          isBusy={act.isPending}
          problems={atFields}
          onSubmit={(values) => act.mutate(values)}
          beside={
            <Button variant="default" onClick={onClose}>
              {WORDS.cancel}
            </Button>
          }
        >
          {move.requiresReason && (
            <Textarea
              label={words.reason}
              data-autofocus
              required
              autosize
              minRows={2}
              maxLength={10_000}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
          {missing.size > 0 && <Text size="sm">{words.missing}</Text>}
        </FieldForm>
      </Stack>
    </Modal>
  );
}
