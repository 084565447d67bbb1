import type { WorkspaceEvent } from 'perdure-client';
import { client } from '../session/session.ts';
import { isOwnTurn, wantsNotices } from '../storage/noticeChoice.ts';
import { NOTICES } from '../storage/noticeWords.ts';
import { isAnyTabVisible } from './visibleTab.ts';

export type NoticePlace =
  | { to: '/inbox'; search: { question?: string; approval?: string; mine?: string } }
  | { to: '/agents/$agentId/tasks/$taskId'; params: { agentId: string; taskId: string } };

type Opened = Extract<WorkspaceEvent, { type: 'question.opened' }>;
type TaskChanged = Extract<WorkspaceEvent, { type: 'task.changed' }>;

/** If more questions than this open at once, one notification announces them all. */
const MAX_SINGLE = 3;
const MAX_READ = 1_000;

/** Shows notifications while no tab is visible. Aborting the signal closes them and stops reads. */
export function personNotices(userId: string, signal: AbortSignal, open: (place: NoticePlace) => void) {
  const shown = new Set<Notification>();
  const known = new Set<string>();
  signal.addEventListener('abort', () => {
    for (const notice of shown) notice.close();
  });

  const show = (tag: string, title: string, body: string, place: NoticePlace) => {
    if (signal.aborted) return;
    const notice = new Notification(title, { body, tag, icon: '/console/assets/perdure.svg' });
    shown.add(notice);
    notice.onclose = () => shown.delete(notice);
    notice.onclick = () => {
      window.focus();
      open(place);
      notice.close();
    };
  };

  let opened: Opened[] = [];
  let isReading = false;
  const readQuestions = async () => {
    if (isReading) return;
    isReading = true;
    try {
      while (opened.length > 0) {
        const steps = new Set(opened.map(({ stepId }) => stepId));
        opened = [];
        const query = { filterBy: 'mine:true', limit: MAX_READ };
        const mine = await client.listPendingInputs({ query, signal });
        const asked = mine.filter(({ stepId }) => steps.has(stepId));
        if (asked.length > MAX_SINGLE) {
          const place: NoticePlace = { to: '/inbox', search: { mine: 'true' } };
          show('questions', NOTICES.questions(asked.length), NOTICES.questionsMean, place);
          continue;
        }
        for (const { executionId, executionName, executionNumber, stepId, title, label } of asked) {
          const place: NoticePlace = { to: '/inbox', search: { question: `${executionId}/${stepId}` } };
          show(`question ${stepId}`, title ?? label, NOTICES.questionOf(executionName, executionNumber), place);
        }
      }
    } finally {
      isReading = false;
    }
  };

  const readTask = async ({ agentId, taskId, status }: TaskChanged) => {
    const path = { taskId };
    const { name, agent } = await client.getTask({ path, query: { agentId, expansion: 'agent' }, signal });
    const who = agent?.name ?? NOTICES.agent;
    const tag = `task ${agentId} ${taskId}`;
    if (status === 'NEEDS_APPROVAL') {
      return show(tag, NOTICES.approval(who), name ?? '', { to: '/inbox', search: { approval: taskId } });
    }
    const title = status === 'FAILED' ? NOTICES.failed(who) : NOTICES.finished(who);
    show(tag, title, name ?? '', { to: '/agents/$agentId/tasks/$taskId', params: { agentId, taskId } });
  };

  /** A question's event may come twice. A task's duplicates share a tag, so the browser merges them. */
  const isDue = (event: Opened | TaskChanged) => {
    if (event.type === 'question.opened') return !known.has(event.stepId) && known.add(event.stepId);
    const { agentId, taskId, status } = event;
    if (status === 'NEEDS_APPROVAL') return true;
    return (status === 'COMPLETED' || status === 'FAILED') && isOwnTurn(agentId, taskId);
  };

  return async (event: WorkspaceEvent): Promise<void> => {
    if (event.type !== 'question.opened' && event.type !== 'task.changed') return;
    if (!isDue(event) || !wantsNotices(userId) || (await isAnyTabVisible()) || signal.aborted) return;
    try {
      if (event.type === 'task.changed') return await readTask(event);
      opened.push(event);
      await readQuestions();
    } catch (error) {
      // The inbox has the missed question; no tab is visible that could show the error.
      if (!signal.aborted) console.warn('A notification could not be shown:', error);
    }
  };
}
