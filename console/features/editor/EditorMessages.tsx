import { Suspense } from 'react';
import { useMay } from '../../app/api/me.ts';
import { copyText } from '../../ui/CopyText.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { done, failed } from '../../ui/notices.tsx';
import type { useStoring } from './draft/useStoring.ts';
import { useEditing } from './editing/Editing.tsx';
import { loadYaml } from './model/loadYaml.ts';
import { EDITOR } from './words.ts';

const DraftNotice = lazyPart(() => import('./EditorNotices.tsx'), 'DraftNotice');
const ReadOnlyNotice = lazyPart(() => import('./EditorNotices.tsx'), 'ReadOnlyNotice');

interface EditorMessagesProps {
  isManaged: boolean;
  mayEdit: boolean;
  onEdit: () => void;
  storing: Pick<ReturnType<typeof useStoring>, 'kept' | 'baseline' | 'restore'>;
}

/** Why the editor is read-only, and drafts that this browser has kept. */
export function EditorMessages({ isManaged, mayEdit, onEdit, storing }: EditorMessagesProps) {
  const { draft, isReadOnly } = useEditing();
  const may = useMay();
  const { kept, baseline, restore } = storing;
  const copyYaml = async () => {
    const [yaml, { codeOf }] = await Promise.all([loadYaml(), import('./model/codeText.ts')]);
    await copyText(codeOf(yaml, draft.definition, 'yaml')).then(() => done(EDITOR.copied), failed);
  };
  return (
    <Suspense fallback={null}>
      {isReadOnly && may('workflows:read') && (
        <ReadOnlyNotice {...{ isManaged, mayEdit, onEdit }} onCopy={() => void copyYaml()} />
      )}
      {kept.found.length > 0 && !isReadOnly && (
        <DraftNotice
          drafts={kept.found}
          tag={baseline.tag}
          onRestore={(key) => void restore(key).catch(failed)}
          onDiscard={kept.discard}
        />
      )}
    </Suspense>
  );
}
